import { gunzipSync } from 'node:zlib';

/** @import { IncomingMessage } from 'node:http' */
/** @import { Outcome } from '../in_page/outcome.js' */
/** @import { InstrumentedSite } from '../site.js' */
/** @import { Visitor } from './visitor.js' */

/**
 * What a document recorded that sent its trace by beacon as it was left: what else an outcome has is put beside it here.
 * @param {Buffer} body of the beacon: JSON, perhaps compressed by gzip
 * @param {object} document
 * @param {string} document.id
 * @param {string} document.mode of sampling
 * @param {Visitor | undefined} document.visitor undefined: it was left before it could ask
 * @param {IncomingMessage} document.request that brought the beacon
 * @param {InstrumentedSite} document.site
 * @returns {Outcome}
 */
export function leftOutcome(body, { id, mode, visitor, request, site }) {
  const isPacked = request.headers['content-type'] === 'application/gzip';
  const { olderSamples = 0, ...trace } = JSON.parse((isPacked ? gunzipSync(body) : body).toString());
  const url = request.headers.referer ?? '';
  if (olderSamples > 0) {
    site.note(`${url} was left with more samples than fit into a beacon: older ones may be missing`);
  }
  return {
    trace,
    mode,
    losses: {},
    sampleInterval: site.sampleInterval,
    url,
    userAgent: request.headers['user-agent'] ?? '',
    // One that was left before it could ask began about then.
    timeOrigin: visitor?.timeOrigin ?? site.servedAt(id),
    full: false,
    scripts: 1,
    blocked: [],
    serviceWorker: '',
    refusedServiceWorker: '',
  };
}
