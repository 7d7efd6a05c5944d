import { relative } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { parseBudget } from '../../instrumenter/command/option_values.js';
import { ENGINE_NAMES, selectedEngines } from '../../web-test/lib/browsers.js';
import { ROOT } from './folders.js';

/**
 * @template T
 * @typedef {object} Setting of a command, for which it has an option
 * @property {string} what the help says of it
 * @property {string} [value] name of what stands behind the option; without, the option stands alone
 * @property {(text: string) => T} read throws an `InvalidArgumentError`
 * @property {() => T} fallback without the option
 * @property {string} [fallbackName] what the help says of that
 */

/** @template {Record<string, Setting<any>>} S @typedef {{[K in keyof S]: S[K] extends Setting<infer T> ? T : never}} Values */

/**
 * Reads the command line, which has an option for each setting: `minWeight` is `--min-weight <n>`. Answers `--help`. Ends the program, with status 2
 * and what it takes instead, when a value cannot be.
 * @template {Record<string, Setting<any>>} S
 * @param {string} what the command does, a sentence
 * @param {S} settings
 * @param {string} [more] for the help
 * @returns {Values<S>}
 */
export function readOptions(what, settings, more = '') {
  const program = new Command(`node ${relative(ROOT, process.argv[1])}`);
  program.description(what).helpOption('--help', 'print this').addHelpText('after', more);
  program.exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2));
  return parseOptions(program, settings, process.argv.slice(2));
}

/**
 * @template {Record<string, Setting<any>>} S
 * @param {Command} program says what is wrong
 * @param {S} settings
 * @param {string[]} args
 * @returns {Values<S>}
 */
export function parseOptions(program, settings, args) {
  for (const [name, { what, value, read, fallbackName }] of Object.entries(settings)) {
    const flags = `--${kebab(name)}${value ? ` <${value}>` : ''}`;
    const option = new Option(flags, fallbackName ? `${what} (default: ${fallbackName})` : what);
    program.addOption(value ? option.argParser(read) : option);
  }
  const given = program.parse(args, { from: 'user' }).opts();
  const values = Object.entries(settings).map(([name, { fallback }]) => [name, given[name] ?? fallback()]);
  return /** @type {any} */ (Object.fromEntries(values));
}

/** Ends the program: the command line was understood, and cannot be. @param {string} message @returns {never} */
export function refuse(message) {
  console.error(`error: ${message}`);
  process.exit(2);
}

/**
 * Of how many there are to be.
 * @param {string} what
 * @param {number} [fallback] none: without the option there is nothing of it
 * @param {0 | 1} [least]
 * @returns {Setting<number>}
 */
export function count(what, fallback = 0, least = 1) {
  const read = (/** @type {string} */ text) => {
    if (!/^\d+$/.test(text) || Number(text) < least)
      throw new InvalidArgumentError(`It must be a whole number, ${least} or more.`);
    return Number(text);
  };
  return { what, value: 'n', read, fallback: () => fallback, fallbackName: fallback ? String(fallback) : '' };
}

/** @param {string} what @param {number} fallback 0: without the option there is nothing of it @param {string} [unit] @returns {Setting<number>} */
export function positive(what, fallback, unit = 'x') {
  const read = (/** @type {string} */ text) => {
    const number = Number(text);
    if (!(number > 0 && number < Infinity)) throw new InvalidArgumentError('It must be a number above 0.');
    return number;
  };
  return {
    what,
    value: unit,
    read,
    fallback: () => fallback,
    fallbackName: fallback ? String(fallback) : '',
  };
}

/**
 * @template {string} T
 * @param {string} what
 * @param {readonly T[]} known
 * @param {readonly T[]} [fallback] all
 * @returns {Setting<T[]>} some of those that are known, in their order
 */
export function someOf(what, known, fallback = known) {
  const read = (/** @type {string} */ text) => {
    const names = text.split(',');
    const unknown = names.find((name) => !known.some((one) => one === name));
    if (unknown !== undefined)
      throw new InvalidArgumentError(`There is no '${unknown}': it takes ${known.join(', ')}.`);
    return known.filter((one) => names.includes(one));
  };
  const fallbackName = fallback === known ? 'all' : fallback.join();
  return {
    what: `${what}: ${known.join(', ')}`,
    value: 'a,b',
    read,
    fallback: () => [...fallback],
    fallbackName,
  };
}

/** @returns {Setting<import('../../web-test/lib/browsers.js').EngineName[]>} in which engines */
export function engineNames() {
  const fallback = () => {
    try {
      return selectedEngines();
    } catch (error) {
      refuse(/** @type {Error} */ (error).message);
    }
  };
  return { ...someOf('which', ENGINE_NAMES), fallback, fallbackName: 'those of POLYPROF_BROWSERS, or all' };
}

/** @param {string} what @returns {Setting<string | undefined>} share of the time that probes may take, as `polyprof instrument` takes it */
export function budget(what) {
  const read = (/** @type {string} */ text) => {
    parseBudget(text);
    return text;
  };
  return { what, value: 'share', read, fallback: () => undefined };
}

/** @param {string} what @param {string} fallback @returns {Setting<string>} of files in bench/results/ */
export function fileName(what, fallback) {
  const read = (/** @type {string} */ text) => {
    if (!/^[\w-][\w.-]*$/.test(text))
      throw new InvalidArgumentError('It must be a name for files, without a folder.');
    return text;
  };
  return { what, value: 'name', read, fallback: () => fallback, fallbackName: fallback };
}

/** @param {string} what @returns {Setting<boolean>} */
export function isGiven(what) {
  return { what, read: Boolean, fallback: () => false };
}

/** Without the option there is no value, whatever the help says that is done then. @template T @param {Setting<T>} setting @returns {Setting<T | undefined>} */
export function optional(setting) {
  return { ...setting, fallback: () => undefined };
}

/** @param {string} name in camel case */
function kebab(name) {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
