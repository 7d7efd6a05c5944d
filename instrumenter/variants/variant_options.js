import { shownValue } from '../shown_value.js';

/**
 * @typedef {object} VariantOptions the build has every script twice, as it is and with probes, and each session gets one of both
 * @property {number} sampleRate share of the sessions that get the scripts with probes, 0 to 1
 * @property {string} [parameter] of the page's address, that chooses by its value `probed` or `plain`; default `polyprof`
 * @property {'inline' | 'external'} [chooser] the script that chooses is in the page, or a file; default `inline`
 * @property {string} [nonce] of that script, for a content security policy; default: that of the script which it stands before
 */

/** @typedef {Required<Omit<VariantOptions, 'nonce'>> & {nonce?: string}} VariantSettings */

const NAMES = ['sampleRate', 'parameter', 'chooser', 'nonce'];
const CHOOSERS = ['inline', 'external'];

/**
 * @param {unknown} value of the option `variants`
 * @returns {VariantSettings}
 * @throws {TypeError} that says what is wrong, and what it may be
 */
export function completeVariants(value) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new TypeError(`variants must be an object such as { sampleRate: 0.01 }, not ${shownValue(value)}`);
  }
  for (const name of Object.keys(value)) {
    if (!NAMES.includes(name)) {
      throw new TypeError(`variants has no option '${name}': there is ${NAMES.join(', ')}`);
    }
  }
  const {
    sampleRate,
    parameter = 'polyprof',
    chooser = 'inline',
    nonce,
  } = /** @type {VariantOptions} */ (value);
  if (typeof sampleRate !== 'number' || !(sampleRate >= 0 && sampleRate <= 1)) {
    throw new TypeError(
      `variants.sampleRate must be a number from 0 to 1, such as 0.01 for one session of a hundred, not ${shownValue(sampleRate)}`,
    );
  }
  if (typeof parameter !== 'string' || !/^[\w.~-]+$/.test(parameter)) {
    throw new TypeError(
      `variants.parameter must be a name of letters, digits and -._~, not ${shownValue(parameter)}`,
    );
  }
  if (!CHOOSERS.includes(chooser)) {
    throw new TypeError(`variants.chooser must be 'inline' or 'external', not ${shownValue(chooser)}`);
  }
  if (nonce !== undefined && (typeof nonce !== 'string' || nonce === '')) {
    throw new TypeError(`variants.nonce must be a text, not ${shownValue(nonce)}`);
  }
  return { sampleRate, parameter, chooser, nonce };
}
