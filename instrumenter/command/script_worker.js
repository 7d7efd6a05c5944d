import { parentPort, workerData } from 'node:worker_threads';
import { SourceError } from '../source_error.js';
import { instrumentScript } from './script_task.js';

// A thread of the command line: one task in, one result or error out.
parentPort?.on('message', (task) => {
  try {
    parentPort?.postMessage({ result: instrumentScript(task, workerData.calibration) });
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    const { message, file, line, column } = error;
    parentPort?.postMessage({ error: { message, file, line, column } });
  }
});
