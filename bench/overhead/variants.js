import { join } from 'node:path';
import { instrumentWorkload } from '../../examples/workloads/lib/instrument.js';
import { outFolder } from '../lib/folders.js';
import { REWRITTEN_PROBES } from '../rewritten/rewritten_probes.js';
import { rewritten } from '../rewritten/rewritten_workload.js';
import { buildWorkload } from '../workloads/build.js';
import { calibrationOf } from '../workloads/calibration.js';
import { BASELINE, CONTROL, OPEN_BASELINE } from './comparison.js';
import { peers } from './peers.js';

/** @import { EngineName } from '../../web-test/lib/browsers.js' */

/**
 * @typedef {object} Variant of a workload's page
 * @property {string} name
 * @property {string} folder to serve
 * @property {string} query of the page's address
 * @property {boolean} jsProfiling whether the browser's own profiler is allowed
 * @property {boolean} [isolated] cross-origin isolated; true by default
 * @property {string} [baseline] name of the variant that its time is relative to; the plain page by default
 * @property {readonly (EngineName | 'node')[]} [engines] that can run it; all without
 * @property {Record<string, string>} [env] environment of the browser
 */
/**
 * @typedef {object} Plain what variants are made of
 * @property {string} workload
 * @property {Omit<Variant, 'name'>} page with nothing in it
 * @property {number} intervalMs between samples, of the variants that profile
 */
/** @typedef {'flag' | 'shadow'} Probe */

const OUT = outFolder('overhead');
const PROBES = /** @type {const} */ (['flag', 'shadow']);
const SWEEP = ['3%', '1%', '0.3%', '0.1%'];

/** What can be measured beside the plain page, and how that is made. @type {Record<string, {what: string, make: (plain: Plain) => Promise<Variant[]>}>} */
export const GROUPS = Object.freeze({
  budget: { what: 'probes with a budget of 1 %, by a calibration of the same workload', make: budget },
  'self-timed': {
    what: 'such flag probes in a page that is not isolated, beside the plain page without isolation',
    make: selfTimed,
  },
  guess: { what: 'probes with a budget of 1 %, by the text alone', make: guess },
  default: { what: 'probes in all functions of the default weight', make: byDefault },
  fine: { what: 'shadow probes with a budget, sampled at 1 ms', make: fine },
  sweep: { what: 'flag probes that nobody samples, with budgets of 3 % and less', make: sweep },
  forms: { what: 'other forms of probes, in all functions, that nobody samples', make: forms },
  smoke: { what: 'one of them, to see that it runs', make: smoke },
  peers: { what: 'entry checks alone, istanbul, and the browsers’ own profilers', make: peers },
});

/**
 * Builds a workload and its instrumented forms.
 * @param {string} workload
 * @param {number} intervalMs between samples, of the variants that profile
 * @param {readonly string[]} groups of GROUPS
 * @returns {Promise<Variant[]>} the plain page first, twice
 */
export async function variantsOf(workload, intervalMs, groups) {
  const folder = await buildWorkload(workload, join(OUT, 'plain'));
  const page = { folder, query: '', jsProfiling: false };
  const variants = [BASELINE, CONTROL].map((name) => ({ ...page, name }));
  for (const group of groups) variants.push(...(await GROUPS[group].make({ workload, page, intervalMs })));
  return variants;
}

/** @param {Plain} plain */
async function budget(plain) {
  const options = await calibrated(plain);
  const ours = PROBES.map((probe) => dormantAndSampled(plain, probe, 'budget', options));
  return (await Promise.all(ours)).flat();
}

/** @param {Plain} plain @returns {Promise<Variant[]>} */
async function selfTimed(plain) {
  const folder = await instrumented(plain, 'flag', 'budget', await calibrated(plain));
  const { intervalMs } = plain;
  const page = { ...plain.page, isolated: false };
  return [
    { ...page, name: OPEN_BASELINE },
    {
      ...page,
      name: `self-timed, budget, ${intervalMs} ms`,
      folder,
      query: `interval=${intervalMs}`,
      baseline: OPEN_BASELINE,
    },
  ];
}

/** @param {Plain} plain */
async function guess(plain) {
  const ours = PROBES.map((probe) => dormantAndSampled(plain, probe, 'guess', ['--budget', '0.01']));
  return (await Promise.all(ours)).flat();
}

/** @param {Plain} plain */
async function byDefault(plain) {
  return (await Promise.all(PROBES.map((probe) => dormantAndSampled(plain, probe, '', [])))).flat();
}

/** @param {Plain} plain */
async function fine(plain) {
  const folder = await instrumented(plain, 'shadow', 'budget', await calibrated(plain));
  return [{ ...plain.page, name: 'shadow, budget, 1 ms', folder, query: 'interval=1' }];
}

/** @param {Plain} plain */
async function sweep(plain) {
  const variants = [];
  for (const share of SWEEP) {
    const folder = await instrumented(plain, 'flag', share, await calibrated(plain, share));
    variants.push({ ...plain.page, name: `flag, budget of ${share}, off`, folder });
  }
  return variants;
}

/** Ours, and others made of them. @param {Plain} plain */
async function forms(plain) {
  const [flag, shadow] = await Promise.all(
    PROBES.map((probe) => instrumented(plain, probe, 'all', ['--min-weight', '0'])),
  );
  const ours = { flag, shadow };
  const variants = Object.entries(ours).map(([name, folder]) => ({ ...plain.page, name, folder }));
  for (const [name, { probe, rewrite, key }] of Object.entries(REWRITTEN_PROBES)) {
    const folder = await rewritten(ours[probe], join(OUT, name), rewrite, key);
    variants.push({ ...plain.page, name, folder });
  }
  return variants;
}

/** @param {Plain} plain */
async function smoke(plain) {
  const [, sampled] = await dormantAndSampled(plain, 'flag', '', []);
  return [sampled];
}

/** @param {Plain} plain @param {string} [share] of the time */
async function calibrated({ workload, page }, share = '0.01') {
  return ['--budget', share, '--calibration', await calibrationOf(workload, page.folder, OUT)];
}

/** @param {Plain} plain @param {Probe} probe @param {string} what tells these probes from others @param {string[]} options of `polyprof instrument` */
function instrumented({ page }, probe, what, options) {
  return instrumentWorkload(page.folder, join(OUT, `${probe} ${what}`.trim()), [
    '--probe',
    probe,
    ...options,
  ]);
}

/**
 * @param {Plain} plain @param {Probe} probe @param {string} what tells these probes from others @param {string[]} options of `polyprof instrument`
 * @returns {Promise<Variant[]>} two: nobody samples the first one
 */
async function dormantAndSampled(plain, probe, what, options) {
  const folder = await instrumented(plain, probe, what, options);
  const page = { ...plain.page, folder };
  const name = what ? `${probe}, ${what}` : probe;
  return [
    { ...page, name: `${name}, off` },
    { ...page, name: `${name}, ${plain.intervalMs} ms`, query: `interval=${plain.intervalMs}` },
  ];
}
