import { COUNTS_BINDING } from '../budget/count_probe.js';
import { countByWeight } from '../budget/unseen.js';
import { ignoreDigests } from '../pages/digests.js';
import { startChromium } from './chromium.js';
import { answerWithCopies } from './counting_answer.js';
import { Contexts } from './contexts.js';
import { CountingCopies } from './counting_copy.js';
import { Counts } from './counts.js';
import { selfTime } from './self_time.js';
import { visit } from './visit.js';
import { WorkloadError } from './workload_error.js';

/** Of the profiling visit, us. Twice of UNSEEN_US in budget/choose.js. */
const INTERVAL_US = 200;

/**
 * Visits a page twice: once with counting scripts, once as it is under the browser's own CPU profiler, which hardly slows it down.
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
    const contexts = new Contexts();
    const endAnswers = await answerWithCopies(browser, copies);
    const counting = await visit(browser, workload, {
      async prepare(session, kind) {
        await session('Runtime.addBinding', { name: COUNTS_BINDING });
        if (kind === 'worker') return;
        await session('Page.setBypassCSP', { enabled: true });
        await session('Page.addScriptToEvaluateOnNewDocument', { source: `(${ignoreDigests})()` });
        await session('Network.setCacheDisabled', { cacheDisabled: true });
      },
      onEvent: {
        ...contexts.onEvent,
        'Runtime.bindingCalled': ({ name, payload }) => void (name === COUNTS_BINDING && counts.add(payload)),
      },
      finish: (session) => contexts.evaluate(session, 'globalThis.__polyprof_calibration__?.report()'),
    });
    if (counts.size === 0) {
      const nothing = `no script of ${workload.url} that can have probes has run`;
      throw new WorkloadError([nothing, ...copies.notes.slice(0, 1)].join(': '));
    }

    await endAnswers();
    onStep('profiling');
    const profiling = await visit(browser, workload, {
      async prepare(session) {
        await measureProcessorTime(session);
        await session('Profiler.enable');
        await session('Profiler.setSamplingInterval', { interval: INTERVAL_US });
        await session('Profiler.start');
      },
      onEvent: {},
      async finish(session) {
        const { profile } = await session('Profiler.stop');
        return selfTime(profile, copies.functions, await processorUsOf(session));
      },
    });
    const times = profiling.results;
    const unseen = [...copies.functions.values()].flat().filter(({ key }) => !counts.has(key));
    const calibration = { ...calibrationOf(counts, times), unseen: countByWeight(unseen) };
    return { calibration, notes: [...copies.notes, ...notesOf(counting, profiling)] };
  } finally {
    await browser.close();
  }
}

/** Where the browser can: it knows of pages, not of workers, and not on every system. @param {import('./visit.js').Session} session */
async function measureProcessorTime(session) {
  await session('Performance.enable', { timeDomain: 'threadTicks' }).catch(() => {});
}

/** @param {import('./visit.js').Session} session @returns {Promise<number | undefined>} of its thread since it was to be measured */
async function processorUsOf(session) {
  /** @type {{metrics: {name: string, value: number}[]}} */
  const { metrics } = await session('Performance.getMetrics').catch(() => ({ metrics: [] }));
  const seconds = metrics.find(({ name }) => name === 'TaskDuration')?.value;
  return seconds ? seconds * 1e6 : undefined;
}

/** @param {{silent: number}} counting @param {{silent: number}} profiling @returns {string[]} */
function notesOf(counting, profiling) {
  const notes = [];
  if (counting.silent > 0)
    notes.push(
      `${workersText(counting.silent)} while calls were counted: what was called in the last quarter of a second is missing`,
    );
  if (profiling.silent > 0)
    notes.push(`${workersText(profiling.silent)} while self time was measured: their self time is missing`);
  return notes;
}

/** @param {number} count */
function workersText(count) {
  return `${count} ${count === 1 ? 'frame or worker' : 'frames and workers'} had ended or did not answer`;
}

/** @param {Counts} counts @param {ReturnType<typeof selfTime>[]} times of the page, and of frames and workers beside it */
function calibrationOf(counts, times) {
  /** @type {Map<string, number>} */
  const byKey = new Map();
  for (const { selfUs } of times) {
    for (const [{ key }, us] of selfUs) {
      const text = [key.source, key.name, key.shape].join('\n');
      byKey.set(text, (byKey.get(text) ?? 0) + us);
    }
  }
  const busyUs = times.reduce((sum, time) => sum + time.busyUs, 0);
  return counts.calibration('measured', (row) => byKey.get(row.slice(0, 3).join('\n')) ?? 0, busyUs);
}
