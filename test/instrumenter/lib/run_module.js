import { Worker } from 'node:worker_threads';

/**
 * @param {Record<string, string>} files modules by name
 * @param {string} entry
 * @param {import('./realm.js').HookMode} [mode]
 * @returns {Promise<import('./realm.js').Outcome>} the last line of its log: what the entry exports, or its error
 */
export function runModule(files, entry, mode = 'none') {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./module_worker.js', import.meta.url), {
      workerData: { files, entry, mode },
      execArgv: ['--experimental-vm-modules', '--no-warnings'],
    });
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('the thread ended without an outcome')));
  });
}
