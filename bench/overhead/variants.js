import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
// @ts-expect-error It has no types of its own.
import { createInstrumenter } from 'istanbul-lib-instrument';
import { instrumentWorkload } from '../../examples/workloads/lib/instrument.js';
import { outFolder } from '../lib/folders.js';
import { calibrationOf } from '../workloads/calibration.js';
import { entryChecks } from '../rewritten/entry_check.js';
import { rewritten } from '../rewritten/rewritten_workload.js';
import { REWRITTEN_PROBES } from '../rewritten/rewritten_probes.js';
import { buildWorkload } from '../workloads/build.js';

/** @import { EngineName } from '../../web-test/lib/browsers.js' */

/**
 * @typedef {object} Variant of a workload's page
 * @property {string} name
 * @property {string} folder to serve
 * @property {string} query of the page's address
 * @property {boolean} jsProfiling whether the browser's own profiler is allowed
 * @property {boolean} [isolated] cross-origin isolated; true by default
 * @property {readonly (EngineName | 'node')[]} [engines] that can run it; all without
 * @property {Record<string, string>} [env] environment of the browser
 */

const OUT = outFolder('overhead');

/** The yardstick, and the same once more: what differs between these two is noise. */
export const BASELINE = 'plain';
export const CONTROL = 'plain again';

const SWEEP = ['3%', '1%', '0.3%', '0.1%'];

/** What can be measured beside the plain page. */
export const GROUPS = Object.freeze({
  budget: 'probes with a budget of 1 %, by a calibration of the same workload',
  guess: 'probes with a budget of 1 %, by the text alone',
  default: 'probes in all functions of the default weight',
  fine: 'shadow probes with a budget, sampled at 1 ms',
  sweep: 'flag probes that nobody samples, with budgets of 3 % and less',
  forms: 'other forms of probes, in all functions, that nobody samples',
  smoke: 'one of them, to see that it runs',
  peers: 'entry checks alone, istanbul, and the browsers’ own profilers',
});

/**
 * Builds a workload and its instrumented forms.
 * @param {string} workload
 * @param {number} intervalMs between samples, of the variants that profile
 * @param {readonly string[]} groups of GROUPS
 * @returns {Promise<Variant[]>}
 */
export async function variantsOf(workload, intervalMs, groups) {
  mkdirSync(OUT, { recursive: true });
  const plain = await buildWorkload(workload, join(OUT, 'plain'));
  const page = { folder: plain, query: '', jsProfiling: false };
  const interval = `interval=${intervalMs}`;
  /** @type {Variant[]} */
  const variants = [
    { ...page, name: BASELINE },
    { ...page, name: CONTROL },
  ];
  const ours = async (
    /** @type {string} */ probe,
    /** @type {string} */ what,
    /** @type {string[]} */ options,
  ) => {
    const folder = await instrumentWorkload(plain, join(OUT, `${probe} ${what}`.trim()), [
      '--probe',
      probe,
      ...options,
    ]);
    const name = `${probe}${what && `, ${what}`}`;
    variants.push({ ...page, name: `${name}, off`, folder });
    variants.push({ ...page, name: `${name}, ${intervalMs} ms`, folder, query: interval });
    return folder;
  };
  const calibration = groups.some((group) => /^(budget|fine|sweep)$/.test(group))
    ? await calibrationOf(workload, plain, OUT)
    : '';
  const budget = ['--budget', '0.01', '--calibration', calibration];
  if (groups.includes('budget')) {
    const folder = await ours('flag', 'budget', budget);
    const name = `self-timed, budget, ${intervalMs} ms`;
    variants.push({ ...page, name, folder, query: interval, isolated: false });
    await ours('shadow', 'budget', budget);
  }
  if (groups.includes('fine')) {
    const folder = await instrumentWorkload(plain, join(OUT, 'shadow budget'), [
      '--probe',
      'shadow',
      ...budget,
    ]);
    variants.push({ ...page, name: 'shadow, budget, 1 ms', folder, query: 'interval=1' });
  }
  for (const share of groups.includes('sweep') ? SWEEP : []) {
    const options = ['--probe', 'flag', '--budget', share, '--calibration', calibration];
    const folder = await instrumentWorkload(plain, join(OUT, `flag ${share}`), options);
    variants.push({ ...page, name: `flag, budget of ${share}, off`, folder });
  }
  if (groups.includes('guess'))
    for (const probe of ['flag', 'shadow']) await ours(probe, 'guess', ['--budget', '0.01']);
  if (groups.includes('default')) for (const probe of ['flag', 'shadow']) await ours(probe, '', []);
  if (groups.includes('forms')) variants.push(...(await otherForms(page, plain)));
  if (groups.includes('smoke')) {
    const folder = await instrumentWorkload(plain, join(OUT, 'flag'), ['--probe', 'flag']);
    variants.push({ ...page, name: `flag, ${intervalMs} ms`, folder, query: interval });
  }
  if (groups.includes('peers')) variants.push(...(await peers(page, plain, intervalMs)));
  return variants;
}

/** @param {Omit<Variant, 'name'>} page @param {string} plain @returns {Promise<Variant[]>} ours, and others made of them */
async function otherForms(page, plain) {
  /** @type {Record<string, string>} */
  const ours = {};
  for (const probe of ['flag', 'shadow']) {
    const options = ['--probe', probe, '--min-weight', '0'];
    ours[probe] = await instrumentWorkload(plain, join(OUT, `${probe} all`), options);
  }
  const variants = Object.entries(ours).map(([name, folder]) => ({ ...page, name, folder }));
  for (const [name, { probe, rewrite, key }] of Object.entries(REWRITTEN_PROBES)) {
    const folder = await rewritten(ours[probe], join(OUT, name), rewrite, key);
    variants.push({ ...page, name, folder });
  }
  return variants;
}

/** @param {Omit<Variant, 'name'>} page @param {string} plain @param {number} intervalMs @returns {Promise<Variant[]>} */
async function peers(page, plain, intervalMs) {
  const entry = await withEntryChecks(plain);
  const istanbul = await rewritten(plain, join(OUT, 'istanbul'), (code, file) =>
    createInstrumenter({ esModules: false, compact: true, produceSourceMap: false }).instrumentSync(
      code,
      file,
    ),
  );
  return [
    { ...page, name: 'entry check only, off', folder: entry },
    { ...page, name: 'entry check only, 10 ms', folder: entry, query: 'entry' },
    { ...page, name: 'istanbul', folder: istanbul },
    { ...page, name: 'native, header alone', jsProfiling: true, engines: ['chromium'] },
    {
      ...page,
      name: `native, ${intervalMs} ms`,
      query: `interval=${intervalMs}&native`,
      jsProfiling: true,
      engines: ['chromium'],
    },
    {
      ...page,
      name: 'Firefox Profiler, 10 ms',
      engines: ['firefox'],
      env: {
        MOZ_PROFILER_STARTUP: '1',
        MOZ_PROFILER_STARTUP_INTERVAL: '10',
        MOZ_PROFILER_STARTUP_FEATURES: 'js,stackwalk',
      },
    },
    {
      ...page,
      name: 'JSC sampling profiler, 10 ms',
      engines: ['webkit'],
      env: { JSC_useSamplingProfiler: '1', JSC_sampleInterval: '10000' },
    },
  ];
}

/** @param {string} plain folder of a workload @returns {Promise<string>} the same with entry checks, in a folder of its name */
export function withEntryChecks(plain) {
  return rewritten(plain, join(OUT, 'entry'), entryChecks);
}
