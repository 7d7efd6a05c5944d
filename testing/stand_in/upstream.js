import { lookup } from 'node:dns';
import http from 'node:http';
import https from 'node:https';
import { fieldsOf, fieldsToServer } from './passed_on_headers.js';

/** @import { ClientRequest, IncomingMessage } from 'node:http' */

/**
 * Asks the server that a proxy stands for what the browser has asked the proxy for.
 * @param {string} target origin of the server
 * @param {IncomingMessage} request of the browser
 * @returns {ClientRequest} without its body, which is still to be sent
 */
export function askUpstream(target, request) {
  const { request: open } = target.startsWith('https:') ? https : http;
  const fields = fieldsToServer(fieldsOf(request), { target, origin: originOf(request) });
  return open(`${target}${request.url}`, {
    method: request.method,
    lookup: lookupAsBrowsersDo,
    headers: [['host', new URL(target).host], ['accept-encoding', 'identity'], ...fields].flat(),
  });
}

/** @param {IncomingMessage} request @returns {string} of the proxy, as the page knows it */
export function originOf({ headers: { host } }) {
  return `http://${host}`;
}

/**
 * Names below localhost are this machine, whatever the system says of them: https://www.rfc-editor.org/rfc/rfc6761#section-6.3
 * @type {import('node:net').LookupFunction}
 */
function lookupAsBrowsersDo(hostname, options, callback) {
  lookup(hostname.replace(/^.*\.(?=localhost\.?$)/i, ''), options, callback);
}
