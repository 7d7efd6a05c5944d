import { statelessProbe } from '../probes/stateless_probe.js';
import { chooseNames } from '../probes/prelude.js';
import { scriptIdOf } from '../text/fnv1a.js';
import { staticEstimate } from './static_estimate.js';

/**
 * The probe of a calibration: it counts how often each function is entered or resumed, `F[row]++`, and nothing else. Not for pages that
 * users see: each script carries the names of its functions and the code that reports them.
 *
 * @typedef {import('../functions/function_record.js').FunctionRecord} FunctionRecord
 * @typedef {import('./function_keys.js').FunctionKey} FunctionKey
 */

/** What a page has for a tool that drives it, a function of one text; or else where it sends its counts. */
export const COUNTS_BINDING = '__polyprof_counts__';

/**
 * @param {string} code
 * @param {{scriptId: number, isModule: boolean, inCycles: boolean, keys: Map<FunctionRecord, FunctionKey>, endpoint?: string}} header `endpoint`: URL that counts are sent to
 *   where there is no binding
 * @param {import('../probes/realm_names.js').RealmNames} realm
 */
export function countBuild(code, { scriptId, isModule, inCycles, keys, endpoint = '' }, realm) {
  const chosen = chooseNames(code);
  // Classic scripts share a global scope, and each has counts of its own. Those of one page share an id.
  const own = scriptIdOf(String(scriptId), code).toString(36);
  const names = isModule ? chosen : { ...chosen, flag: `${chosen.flag}_${own}` };
  const { hook, flag, temp, init } = names;
  const rows = new Map([...keys.keys()].map((record, row) => [record, row]));
  const estimates = new Map(
    staticEstimate([...keys.keys()]).map(({ record, calls, selfUs }) => [
      record,
      Math.round((selfUs * 1000) / calls),
    ]),
  );
  const texts = [...keys].map(([record, { source, name, shape }]) => [
    source,
    name,
    shape,
    estimates.get(record),
  ]);
  const counter =
    `${realm.globalThis}.__polyprof_calibration__||` +
    `(${realm.globalThis}.__polyprof_calibration__=(${makeCounter})(${realm.globalThis},${text(COUNTS_BINDING)},${text(endpoint)}))`;
  const cells = `${hook}.add(JSON.parse(${text(JSON.stringify(texts))}))`;

  return {
    prelude(/** @type {string} */ enter) {
      const checked = enter && `,${temp}=${enter}`;
      if (!inCycles) return `var ${hook}=${counter},${flag}=${cells},${temp}=0${checked};`;
      return (
        `var ${hook},${flag},${temp}=${flag}||${init}()${checked};` +
        `function ${init}(){${hook}=${counter};return ${flag}=${cells}}`
      );
    },
    probeOf(/** @type {FunctionRecord} */ record) {
      const cell = `[${rows.get(record)}]++`;
      const enter = flag + cell;
      return statelessProbe(names, record, {
        enter,
        enterEarly: `(${flag}||${init}())${cell}`,
        leave: '0',
        resumed: enter,
      });
    },
  };
}

/** @param {string} value @returns {string} a literal that may stand in an inline script, on one line */
function text(value) {
  return JSON.stringify(value)
    .replaceAll('<', '\\x3c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
}

/** The text of `counterOfRealm` on one line: comments would swallow what follows. */
const makeCounter = String(counterOfRealm)
  .replace(/^\s*\/\/.*$/gm, '')
  .replace(/\s*\n\s*/g, ' ');

/**
 * Runs in the page: it sees nothing of this file.
 * @param {any} realm
 * @param {string} binding
 * @param {string} endpoint
 */
function counterOfRealm(realm, binding, endpoint) {
  /** @type {{functions: any[], calls: Float64Array, told: Float64Array}[]} */
  const scripts = [];
  /** Bytes of a beacon, at most. Browsers hold 64 kB of them. */
  const most = 60000;
  const encoder = new realm.TextEncoder();
  let refused = 0;
  /** @param {{row: any[], index: number, told: Float64Array}[]} counts */
  const bytesOf = (counts) => encoder.encode(JSON.stringify(counts.map(({ row }) => row)));
  const counter = {
    scripts,
    /** @param {any[]} functions */
    add(functions) {
      const calls = new realm.Float64Array(functions.length);
      scripts.push({ functions, calls, told: new realm.Float64Array(functions.length) });
      return calls;
    },
    /** @param {boolean} [ends] the page goes away */
    report(ends) {
      /** @type {Parameters<typeof bytesOf>[0]} */
      const due = [];
      for (const { functions, calls, told } of scripts) {
        functions.forEach((key, index) => {
          const count = calls[index] - told[index];
          if (count > 0) due.push({ row: [...key, count, told[index] ? 0 : 1], index, told });
        });
      }
      if (due.length === 0) return;
      const settle = (/** @type {typeof due} */ counts) => {
        for (const { row, index, told } of counts) told[index] += row[4];
      };
      if (typeof realm[binding] === 'function') {
        settle(due);
        realm[binding](JSON.stringify(due.map(({ row }) => row)));
        return;
      }
      if (!endpoint) return;
      const beacon = realm.navigator.sendBeacon?.bind(realm.navigator);
      if (!beacon || (refused > 3 && !ends)) {
        settle(due);
        realm.fetch(endpoint, { method: 'POST', mode: 'no-cors', body: bytesOf(due) }).catch(() => {});
        return;
      }
      // What is left or closed takes its requests with it, but not its beacons: what was called most goes first.
      let part = due.sort((a, b) => b.row[4] - a.row[4]);
      let body = bytesOf(part);
      while (part.length > 1 && body.length > most) {
        part = part.slice(0, part.length >> 1);
        body = bytesOf(part);
      }
      if (!beacon(endpoint, body)) {
        refused++;
        return;
      }
      refused = 0;
      settle(part);
      if (part.length < due.length && !ends) realm.setTimeout(() => counter.report(), 20);
    },
  };
  if (typeof realm.addEventListener === 'function') {
    realm.addEventListener('pagehide', () => counter.report(true));
    // Workers end without an event.
    if (endpoint || !realm.document) realm.setInterval(() => counter.report(), 250);
  }
  return counter;
}
