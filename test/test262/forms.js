import { instrument } from '../../instrumenter/instrument.js';

/** @import { HookMode } from '../instrumenter/lib/realm.js' */

/**
 * A way to run a test.
 * @typedef {object} Form
 * @property {HookMode} hook
 * @property {(code: string, sourceType: 'script' | 'module') => string} prepare
 * @property {boolean} [changesText] what functions are as text differs, and nothing else
 */

/** @param {string} probe @param {HookMode} hook @returns {Form} */
const probed = (probe, hook) => ({
  hook,
  prepare: (code, sourceType) =>
    instrument(code, { file: 'test.js', probe, sourceType, minWeight: 0, sourceMap: false }).code,
});

/** @param {string} code */
const unchanged = (code) => code;

/** By name. @type {Readonly<Record<string, Form>>} */
export const FORMS = Object.freeze({
  plain: { hook: 'none', prepare: unchanged },
  text: { hook: 'none', prepare: unchanged, changesText: true },
  flag: probed('flag', 'always'),
  shadow: probed('shadow', 'isolated'),
});

/** Those whose outcomes have to be those of `plain`. */
export const PROBED = Object.freeze(['flag', 'shadow']);
