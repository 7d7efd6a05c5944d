import { blockOrder } from '../lib/block_order.js';
import { median, medianInterval } from '../lib/statistics.js';
import { BASELINE, CONTROL } from './variants.js';

/** @import { EngineName } from '../../web-test/lib/browsers.js' */
/** @import { Variant } from './variants.js' */

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

/** @typedef {{name: string, ratio: number, interval: [number, number], ratios: number[]}} Row time relative to the baseline, per block */

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
  const visits = once ? 1 : 2;
  const able = variants.filter(
    ({ name, engines }) => (engines?.includes(engine) ?? true) && !(once && name === CONTROL),
  );
  /** @type {Map<string, number[]>} mean ms by variant, per block */
  const means = new Map(able.map(({ name }) => [name, []]));
  let digest;
  let version = '';
  let done = 0;
  for (let block = 0; block < blocks; block++) {
    /** @type {Map<string, number>} */
    const sums = new Map();
    for (const variant of blockOrder(able, block).slice(0, visits * able.length)) {
      const outcome = await visit(engine, variant);
      onVisit?.(++done, blocks * able.length * visits);
      digest ??= outcome.digest;
      if (outcome.digest !== digest) {
        throw new Error(
          `${engine}, ${workload}: "${variant.name}" computes ${outcome.digest}, not ${digest}`,
        );
      }
      version = outcome.version;
      sums.set(variant.name, (sums.get(variant.name) ?? 0) + outcome.ms);
    }
    for (const [name, sum] of sums) means.get(name)?.push(sum / visits);
  }
  return comparison(engine, version, workload, means);
}

/**
 * @param {string} engine @param {string} version @param {string} workload
 * @param {Map<string, number[]>} means ms by variant, per block
 * @returns {Comparison}
 */
export function comparison(engine, version, workload, means) {
  const baseline = means.get(BASELINE) ?? [];
  const rows = [...means]
    .filter(([name]) => name !== BASELINE)
    .map(([name, series]) =>
      rowOf(
        name,
        series.map((ms, block) => ms / baseline[block]),
      ),
    );
  return { engine, version, workload, baselineMs: median(baseline), rows, refusal: refusalOf(rows) };
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
