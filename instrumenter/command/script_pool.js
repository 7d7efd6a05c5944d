import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { SourceError } from '../source_error.js';
import { instrumentScript } from './script_task.js';

/** @typedef {import('./script_task.js').ScriptTask} ScriptTask */

/** Threads take a third of a second to start: less text than this is done sooner without. In UTF-16 code units. */
const WORTH_THREADS = 1_000_000;

/**
 * Instruments scripts in the order of the list, or at once in several threads if there is enough to do.
 * @param {ScriptTask[]} tasks
 * @param {number} threads at most
 * @param {(index: number, outcome: import('./script_task.js').ScriptResult | SourceError) => void} onDone in any order
 */
export async function instrumentScripts(tasks, threads, onDone) {
  const length = tasks.reduce((sum, { code }) => sum + code.length, 0);
  const count = Math.min(threads, tasks.length);
  // The big ones first: none of them is left for the end, when other threads have nothing to do.
  const waiting = tasks.map((_, index) => index).sort((a, b) => tasks[b].code.length - tasks[a].code.length);
  if (count < 2 || length < WORTH_THREADS) {
    for (const [index, task] of tasks.entries()) onDone(index, outcomeOf(task));
    return;
  }
  const workers = Array.from(
    { length: count },
    () => new Worker(new URL('./script_worker.js', import.meta.url)),
  );
  try {
    await Promise.all(
      workers.map(async (worker) => {
        for (let index = waiting.shift(); index !== undefined; index = waiting.shift()) {
          worker.postMessage(tasks[index]);
          const [{ result, error }] = await once(worker, 'message');
          onDone(index, result ?? new SourceError(error.message, { ...error, code: tasks[index].code }));
        }
      }),
    );
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}

/** @param {ScriptTask} task */
function outcomeOf(task) {
  try {
    return instrumentScript(task);
  } catch (error) {
    if (error instanceof SourceError) return error;
    throw error;
  }
}
