import { FOLDERS } from '../../web-test/lib/folders.js';
import { serve } from '../../web-test/lib/server.js';

/** @import { Server } from '../../web-test/lib/server.js' */

/**
 * @param {string} folder of workloads
 * @param {(server: Server) => Promise<void>} visit pages; the server is there until it is done
 * @param {{jsProfiling?: boolean}} [options] `jsProfiling`: the page's own profiler is allowed
 */
export async function withServer(folder, visit, options = {}) {
  const server = await serve({ folders: { '/': folder, '/dist/': FOLDERS['/dist/'] }, ...options });
  await visit(server).finally(server.close);
}
