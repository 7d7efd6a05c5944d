import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cachedFolder, contentKey } from '../../examples/workloads/lib/cache.js';
import { instrumenterTexts } from '../../examples/workloads/lib/instrument.js';
import { writeCalibration } from '../../instrumenter/budget/calibration.js';
import { calibratePage } from '../../instrumenter/calibrate/calibrate_page.js';
import { findBrowser } from '../../instrumenter/serving/find_browser.js';
import { ISOLATED, serveFolder } from '../../instrumenter/serving/serve_folder.js';
import { ROOT } from '../lib/folders.js';

/** How much of a workload is enough to see who is called how often. */
const SCALE = 0.2;

/** Of those where less is what a page does: to start once. @type {Record<string, number>} */
const SCALES = { startup: 1 / 24 };

/**
 * @param {string} workload
 * @param {string} plain its folder
 * @param {string} out
 * @returns {Promise<string>} the calibration's file; made anew when the workload or the instrumenter has changed
 */
export async function calibrationOf(workload, plain, out) {
  const script = readFileSync(join(plain, `${workload}.js`));
  const folder = await cachedFolder(
    join(out, 'calibration', workload),
    contentKey([script, ...instrumenterTexts()]),
    async (path) => {
      const server = await serveFolder(plain, ISOLATED);
      try {
        const scale = SCALES[workload] ?? SCALE;
        const page = { url: `${server.origin}/?scale=${scale}`, run: 'globalThis.__done', seconds: 0 };
        const options = { root: ROOT, site: plain };
        const { calibration } = await calibratePage(findBrowser('chromium') ?? 'chromium', page, options);
        writeFileSync(join(path, 'calibration.json'), writeCalibration(calibration));
      } finally {
        await server.close();
      }
    },
  );
  return join(folder, 'calibration.json');
}
