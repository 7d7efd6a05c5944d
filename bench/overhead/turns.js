import { fileURLToPath } from 'node:url';
import { usualScale } from '../../examples/workloads/lib/profile_workload.js';
import { launch } from '../../web-test/lib/browsers.js';
import { FOLDERS } from '../../web-test/lib/folders.js';
import { serve } from '../../web-test/lib/server.js';
import { BASELINE, comparison, CONTROL, OPEN_BASELINE } from './comparison.js';

/** @import { EngineName } from '../../web-test/lib/browsers.js' */
/** @import { Comparison } from './comparison.js' */
/** @import { Variant } from './variants.js' */

const PAGE = fileURLToPath(new URL('turns_page/', import.meta.url));

/** Turns of each variant in one visit, where the work can be cut into so many. */
const ROUNDS = 80;
const FEWEST_ROUNDS = 4;

/** The least that a turn can do, as a share of the usual work, where that is much: all that is compiled is parsed, a library is loaded as a whole. @type {Record<string, number>} */
const LEAST = { typescript: 0.06, recursion: 1 / 12, startup: 1 / 24 };

/**
 * @typedef {(engine: EngineName, variants: readonly Variant[], work: {workload: string, scale: number}) =>
 *   Promise<{times: number[][], version: string}>} TakeTurns ms by variant and turn
 */

/**
 * As `compare`, but in each visit all variants are frames of one page, and take turns. Several times as precise where code runs as fast in one
 * frame as in another; whether it does, the control tells. What changes a whole browser cannot be told apart there: such variants are left out.
 * The yardstick of frames of a page that is not isolated is the plain one there.
 * @param {EngineName} engine
 * @param {string} workload
 * @param {readonly Variant[]} variants
 * @param {number} visits
 * @param {object} how
 * @param {number} how.scale share of the usual work that each variant does in a visit
 * @param {TakeTurns} [how.takeTurns]
 * @param {(done: number, all: number) => void} [how.onVisit] progress
 * @returns {Promise<Comparison>}
 */
export async function compareInTurns(
  engine,
  workload,
  variants,
  visits,
  { scale, takeTurns = visit, onVisit },
) {
  const able = variants.filter(
    ({ name, engines, env, jsProfiling }) => !engines && !env && !jsProfiling && name !== OPEN_BASELINE,
  );
  const plain = able.filter(({ name }) => name === BASELINE || name === CONTROL);
  const isIsolated = (/** @type {Variant} */ { isolated = true }) => isolated;
  const pages = [able.filter(isIsolated), able.filter((variant) => !isIsolated(variant))].filter(
    ({ length }) => length > 0,
  );
  /** @type {Comparison[]} */
  const comparisons = [];
  let done = 0;
  for (const page of pages) {
    const isolated = isIsolated(page[0]);
    const frames = isolated ? page : [...plain.map((variant) => ({ ...variant, isolated })), ...page];
    /** @type {Map<string, number[]>} */
    const sums = new Map(frames.map(({ name }) => [name, []]));
    let version = '';
    for (let i = 0; i < visits; i++) {
      // Which one loads first, and comes first in memory, differs too.
      const order = frames.map((_, at) => frames[(at + i) % frames.length]);
      const outcome = await takeTurns(engine, order, { workload, scale });
      onVisit?.(++done, visits * pages.length);
      version = outcome.version;
      order.forEach(({ name }, at) => {
        const sum = outcome.times[at].reduce((all, ms) => all + ms, 0);
        sums.get(name)?.push(sum);
      });
    }
    comparisons.push(comparison(engine, version, workload, sums));
  }
  const [first, ...others] = comparisons;
  const more = others.flatMap(({ rows }) => rows.filter(({ name }) => name !== CONTROL));
  const refusal = comparisons.find(({ refusal }) => refusal)?.refusal;
  return { ...first, rows: [...first.rows, ...more], refusal };
}

/** @param {string} workload @param {number} scale @returns {number} in how many turns a visit's work is done */
export function roundsOf(workload, scale) {
  const possible = Math.floor(scale / (LEAST[workload] ?? 0));
  return Math.max(FEWEST_ROUNDS, Math.min(possible, ROUNDS));
}

/** In a browser process of its own, closed again. @type {TakeTurns} */
async function visit(engine, variants, { workload, scale }) {
  const { server, frames } = await serveTurns(variants);
  try {
    const browser = await launch(engine, { quiet: true });
    try {
      const page = await browser.open(server.url('/'));
      const rounds = roundsOf(workload, scale);
      const work = { workload, rounds, scale: (scale * usualScale(engine, workload)) / rounds };
      const times = await page.evaluate(`__takeTurns(${JSON.stringify(frames)}, ${JSON.stringify(work)})`);
      return { times, version: browser.version };
    } finally {
      await browser.close();
    }
  } finally {
    await server.close();
  }
}

/**
 * @param {readonly Variant[]} variants all isolated, or none
 * @returns {Promise<{server: import('../../web-test/lib/server.js').Server, frames: {folder: string, query: string}[]}>} of the page and
 *   its frames, by variant (turns_page/)
 */
export async function serveTurns(variants) {
  const frames = variants.map(({ query }, i) => ({ folder: `/${i}/`, query }));
  const folders = Object.fromEntries(variants.map(({ folder }, i) => [frames[i].folder, folder]));
  const server = await serve({
    folders: { '/': PAGE, '/dist/': FOLDERS['/dist/'], ...folders },
    isolated: variants[0].isolated,
  });
  return { server, frames };
}
