import { COUNTS_BINDING } from '../budget/count_probe.js';
import { countByWeight } from '../budget/unseen.js';
import { ignoreDigests } from '../pages/digests.js';
import { startChromium } from './chromium.js';
import { answer } from './counting_answer.js';
import { CountingCopies } from './counting_copy.js';
import { Counts } from './counts.js';
import { selfTime } from './self_time.js';
import { visit } from './visit.js';
import { WorkloadError } from './workload_error.js';

/** Of the profiling visit, us. Twice of UNSEEN_US in budget/choose.js. */
const INTERVAL_US = 200;

/**
 * Visits a page twice: once with counting scripts, once as it is under the browser's own CPU profiler, which sees it at its true speed.
 * @param {string} program of Chromium
 * @param {import('./visit.js').Workload} workload
 * @param {{root: string, site: string, onStep?: (what: string) => void}} options
 * @returns {Promise<{calibration: import('../budget/calibration.js').Calibration, notes: string[]}>}
 * @throws {WorkloadError}
 */
export async function calibratePage(program, workload, { root, site, onStep = () => {} }) {
  const copies = new CountingCopies(root, site);
  const counts = new Counts();
  const browser = await startChromium(program);
  try {
    onStep('counting calls');
    await visit(browser, workload, {
      async prepare(session) {
        await session('Runtime.addBinding', { name: COUNTS_BINDING });
        await session('Page.setBypassCSP', { enabled: true });
        await session('Page.addScriptToEvaluateOnNewDocument', { source: `(${ignoreDigests})()` });
        await session('Network.setCacheDisabled', { cacheDisabled: true });
        const patterns = ['Document', 'Script'].map((resourceType) => ({
          resourceType,
          requestStage: 'Response',
        }));
        await session('Fetch.enable', { patterns });
      },
      onEvent: {
        'Runtime.bindingCalled': ({ name, payload }) => void (name === COUNTS_BINDING && counts.add(payload)),
        'Fetch.requestPaused': (request, session) => void answer(request, session, copies),
      },
      finish: (session) =>
        session('Runtime.evaluate', { expression: 'globalThis.__polyprof_calibration__?.report()' }),
    });
    if (counts.size === 0) {
      const nothing = `no script of ${workload.url} that can have probes has run`;
      throw new WorkloadError([nothing, ...copies.notes.slice(0, 1)].join(': '));
    }

    onStep('profiling');
    const { profile } = await visit(browser, workload, {
      async prepare(session) {
        await session('Profiler.enable');
        await session('Profiler.setSamplingInterval', { interval: INTERVAL_US });
        await session('Profiler.start');
      },
      onEvent: {},
      finish: (session) => session('Profiler.stop'),
    });
    const { busyUs, selfUs } = selfTime(profile, copies.functions);
    const unseen = [...copies.functions.values()].flat().filter(({ key }) => !counts.has(key));
    const calibration = { ...calibrationOf(counts, busyUs, selfUs), unseen: countByWeight(unseen) };
    return { calibration, notes: copies.notes };
  } finally {
    await browser.close();
  }
}

/**
 * @param {Counts} counts @param {number} busyUs
 * @param {ReturnType<typeof selfTime>['selfUs']} selfUs
 */
function calibrationOf(counts, busyUs, selfUs) {
  /** @type {Map<string, number>} */
  const byKey = new Map();
  for (const [{ key }, us] of selfUs) {
    const text = [key.source, key.name, key.shape].join('\n');
    byKey.set(text, (byKey.get(text) ?? 0) + us);
  }
  return counts.calibration('measured', (row) => byKey.get(row.slice(0, 3).join('\n')) ?? 0, busyUs);
}
