import { measureInBlocks } from '../lib/blocks.js';
import { mean, median, medianInterval } from '../lib/statistics.js';

/** @import { EngineName } from '../../web-test/lib/browsers.js' */
/** @import { Variant } from './variants.js' */

/** The yardstick, and the same once more: what differs between these two is noise. */
export const BASELINE = 'plain';
export const CONTROL = 'plain again';

/** The yardstick of pages that are not isolated: to these, engines compile other code. */
export const OPEN_BASELINE = 'plain, not isolated';

/** How far the control's ratio may be from 1: a machine noisier than this cannot measure what is asked. */
const CONTROL_TOLERANCE = 0.02;

/**
 * @typedef {object} Comparison of the variants of one workload in one engine
 * @property {string} engine
 * @property {string} version of the browser
 * @property {string} workload
 * @property {number} baselineMs median
 * @property {Row[]} rows without the baseline; the control first
 * @property {string | undefined} refusal why the rows mean nothing
 */

/** @typedef {{name: string, ratio: number, interval: [number, number], ratios: number[]}} Row time relative to the variant's baseline, per block */

/**
 * @template {EngineName | 'node'} E
 * @param {E} engine
 * @param {string} workload
 * @param {readonly Variant[]} variants
 * @param {number} blocks
 * @param {object} how
 * @param {(engine: E, variant: Variant) => Promise<{ms: number, digest: string, version: string}>} how.visit
 * @param {(done: number, all: number) => void} [how.onVisit] progress
 * @param {boolean} [how.once] each variant is visited once in a block, and the control, which is the baseline's page, never: enough to see
 *   that everything runs
 * @returns {Promise<Comparison>} rejects when a variant computes something else than the others
 */
export async function compare(engine, workload, variants, blocks, { visit, onVisit, once = false }) {
  const able = new Map(variants.map((variant) => [variant.name, variant]));
  for (const [name, { engines }] of able) {
    if (!(engines?.includes(engine) ?? true) || (once && name === CONTROL)) able.delete(name);
  }
  const all = blocks * able.size * (once ? 1 : 2);
  let done = 0;
  let version = '';
  /** @type {string | undefined} */
  let digest;
  const measure = async (/** @type {string} */ name) => {
    const outcome = await visit(engine, /** @type {Variant} */ (able.get(name)));
    onVisit?.(++done, all);
    version = outcome.version;
    digest ??= outcome.digest;
    if (outcome.digest !== digest)
      throw new Error(`${engine}, ${workload}: "${name}" computes ${outcome.digest}, not ${digest}`);
    return outcome.ms;
  };
  const times = await measureInBlocks([...able.keys()], blocks, measure, { once });
  const means = new Map([...times].map(([name, series]) => [name, series.map(mean)]));
  return comparison(engine, version, workload, means, (name) => able.get(name)?.baseline);
}

/**
 * @param {string} engine @param {string} version @param {string} workload
 * @param {Map<string, number[]>} means ms by variant, per block
 * @param {(name: string) => string | undefined} [baselineOf] a variant; undefined: the plain page
 * @returns {Comparison}
 */
export function comparison(engine, version, workload, means, baselineOf = () => undefined) {
  const timesOf = (/** @type {string} */ name) => /** @type {number[]} */ (means.get(name));
  const rows = [...means]
    .filter(([name]) => name !== BASELINE)
    .map(([name, series]) => {
      const baseline = timesOf(baselineOf(name) ?? BASELINE);
      return rowOf(
        name,
        series.map((ms, block) => ms / baseline[block]),
      );
    });
  const baselineMs = median(timesOf(BASELINE));
  return { engine, version, workload, baselineMs, rows, refusal: refusalOf(rows) };
}

/** @param {string} name @param {number[]} ratios @returns {Row} */
function rowOf(name, ratios) {
  return { name, ratio: median(ratios), interval: medianInterval(ratios), ratios };
}

/** @param {Row[]} rows */
function refusalOf(rows) {
  const control = rows.find(({ name }) => name === CONTROL);
  if (!control) return 'all of it runs; how precise it is, only a control tells';
  const off = Math.abs(control.ratio - 1);
  return off <= CONTROL_TOLERANCE
    ? undefined
    : `the same page differs from itself by ${(off * 100).toFixed(1)} %: too noisy, more blocks or a quieter machine are needed`;
}
