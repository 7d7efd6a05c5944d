import fs from 'node:fs';
import path from 'node:path';
import { CALIBRATION_FILE, CalibrationError, readCalibration } from './calibration.js';

/**
 * @param {string} root the project's folder
 * @param {{calibration?: string, budget?: number}} options `calibration`: file, relative to the root
 * @returns {import('./calibration.js').Calibration | undefined} the one that is named; or with a budget that of the project, if it has one
 * @throws {CalibrationError} if it is not there, or is none
 */
export function loadCalibration(root, { calibration, budget }) {
  if (calibration === undefined && budget === undefined) return undefined;
  const file = path.resolve(root, calibration ?? CALIBRATION_FILE);
  let text;
  try {
    text = fs.readFileSync(file, 'utf8');
  } catch (error) {
    if (calibration === undefined && /** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT')
      return undefined;
    throw new CalibrationError(
      `the calibration ${file} cannot be read: ${/** @type {Error} */ (error).message}`,
      {
        cause: error,
      },
    );
  }
  return readCalibration(text, path.relative(process.cwd(), file));
}
