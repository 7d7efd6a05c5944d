import { parentPort } from 'node:worker_threads';
import { instrumentChunk } from './instrument_chunk.js';
import { warmUp } from './warm_up.js';

/** The thread of instrumenter_thread.js. Projects come with the first of their chunks. */

/** By key. @type {Map<string, import('./instrument_chunk.js').Project>} */
const projects = new Map();

parentPort?.on('message', ({ key, project, chunk, limits }) => {
  if (project) projects.set(key, project);
  try {
    const done = instrumentChunk(/** @type {any} */ (projects.get(key)), chunk, limits);
    parentPort?.postMessage({ done });
  } catch (error) {
    parentPort?.postMessage({ error });
  }
});

warmUp();
