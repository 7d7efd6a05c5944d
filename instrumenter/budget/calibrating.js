/** The environment variable in which `polyprof calibrate -- <command>` tells the command's builds where pages are to send their counts. */
export const CALIBRATION_VARIABLE = 'POLYPROF_CALIBRATE';

/** @returns {{probe?: 'count', minWeight?: number, endpoint?: string}} options in place of the user's, if this build is for a calibration */
export function calibrating() {
  const endpoint = process.env[CALIBRATION_VARIABLE];
  return endpoint ? { probe: 'count', minWeight: 0, endpoint } : {};
}

/** @returns {boolean} this build is for a calibration: every session is to count, so that there is no variant to choose */
export function isCalibrating() {
  return Boolean(process.env[CALIBRATION_VARIABLE]);
}
