import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { HEAP_MB, NEEDS_HEAP, tooBig } from '../heap.js';
import { SourceError } from '../source_error.js';
import { STACK_MB } from '../stack.js';
import { instrumentScript } from './script_task.js';

/**
 * @typedef {import('./script_task.js').ScriptTask} ScriptTask
 * @typedef {import('../budget/calibration.js').Calibration} Calibration
 * @typedef {(index: number, outcome: import('./script_task.js').ScriptResult | SourceError) => void} OnDone in any order
 */

/** Threads take a third of a second to start: less text than this is done sooner without. In UTF-16 code units. */
const WORTH_THREADS = 1_000_000;

/**
 * Instruments scripts in the order of the list, or at once in several threads if there is enough to do.
 * @param {ScriptTask[]} tasks
 * @param {{threads: number, calibration?: Calibration, heapMb?: number}} options `threads`: at most; `heapMb`: of each of them
 * @param {OnDone} onDone
 */
export async function instrumentScripts(tasks, { threads, calibration, heapMb = HEAP_MB }, onDone) {
  const length = tasks.reduce((sum, { code }) => sum + code.length, 0);
  const isBig = tasks.some(({ code }) => code.length > NEEDS_HEAP);
  const isDoneHere = (Math.min(threads, tasks.length) < 2 || length < WORTH_THREADS) && !isBig;
  const waiting = isDoneHere ? tooDeepHere(tasks, calibration, onDone) : [...tasks.keys()];
  // The big ones first: none of them is left for the end, when other threads have nothing to do.
  waiting.sort((a, b) => tasks[b].code.length - tasks[a].code.length);
  await Promise.all(
    Array.from({ length: Math.min(threads, waiting.length) }, async () => {
      let worker = makeWorker(heapMb, calibration);
      try {
        for (let index = waiting.shift(); index !== undefined; index = waiting.shift()) {
          worker.postMessage(tasks[index]);
          const outcome = await outcomeFrom(worker, tasks[index]);
          onDone(index, outcome);
          if (outcome instanceof SourceError && outcome.endsThread) worker = makeWorker(heapMb, calibration);
        }
      } finally {
        await worker.terminate();
      }
    }),
  );
}

/**
 * Instruments scripts in this thread.
 * @param {ScriptTask[]} tasks
 * @param {Calibration | undefined} calibration
 * @param {OnDone} onDone
 * @returns {number[]} those that need more stack than it has
 */
function tooDeepHere(tasks, calibration, onDone) {
  const tooDeep = [];
  for (const [index, task] of tasks.entries()) {
    const outcome = outcomeOf(task, calibration);
    if (outcome instanceof SourceError && outcome.isTooDeep) tooDeep.push(index);
    else onDone(index, outcome);
  }
  return tooDeep;
}

/** @param {number} heapMb @param {Calibration | undefined} calibration once for all scripts: what it says is reckoned out for each new one */
function makeWorker(heapMb, calibration) {
  const resourceLimits = { maxOldGenerationSizeMb: heapMb, stackSizeMb: STACK_MB };
  return new Worker(new URL('./script_worker.js', import.meta.url), {
    resourceLimits,
    workerData: { calibration },
  });
}

/** @param {Worker} worker @param {ScriptTask} task @returns {Promise<import('./script_task.js').ScriptResult | SourceError>} */
async function outcomeFrom(worker, { code, name }) {
  try {
    const [{ result, error }] = await once(worker, 'message');
    return result ?? new SourceError(error.message, { ...error, code });
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ERR_WORKER_OUT_OF_MEMORY') throw error;
    const message = tooBig(code, 'leave the script out by --exclude, or use --jobs 1');
    return Object.assign(new SourceError(message, { file: name, line: 1, column: 1, code: '' }), {
      endsThread: true,
    });
  }
}

/** @param {ScriptTask} task @param {Calibration | undefined} calibration */
function outcomeOf(task, calibration) {
  try {
    return instrumentScript(task, calibration);
  } catch (error) {
    if (error instanceof SourceError) return error;
    throw error;
  }
}
