import { parentPort } from 'node:worker_threads';
import { instrumentChunk } from './instrument_chunk.js';
import { warmUp } from './warm_up.js';

/** The thread of instrumenter_thread.js. Projects come with the first of their chunks. */

/** @type {Map<number, import('./instrument_chunk.js').Project>} */
const projects = new Map();

parentPort?.on('message', ({ id, project, chunk, limits }) => {
  if (project) projects.set(id, project);
  try {
    const done = instrumentChunk(/** @type {any} */ (projects.get(id)), chunk, limits);
    parentPort?.postMessage({ done });
  } catch (error) {
    parentPort?.postMessage({ error });
  }
});

warmUp();
