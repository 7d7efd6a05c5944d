import MagicString from 'magic-string';
import { functionsIn, innermost } from './functions_in.js';

/** @import { Definition } from './functions_in.js' */
/**
 * @typedef {object} Clocked
 * @property {number} ms in which the function ran, or what it called
 * @property {number} own ms in which no other function with a clock did
 * @property {number} calls without those from within
 */

/**
 * Functions that tell by the page's clock how long they run, whatever a profiler says.
 * @param {string} code of a classic script
 * @param {readonly Definition[]} functions in it, by `functionsIn`
 * @param {readonly number[]} ids which of them: indices
 * @returns {string} with clocks, and without the address of its source map, which no longer fits
 */
export function withClocks(code, functions, ids) {
  const output = new MagicString(code);
  const map = /\n\/\/# sourceMappingURL=.*\s*$/.exec(code);
  if (map) output.remove(map.index, code.length);
  for (const id of ids) {
    const { body } = functions[id].node;
    const directive = body.directives.at(-1);
    output.appendLeft(
      directive ? directive.end : body.start + 1,
      `${directive ? ';' : ''}__clockBegin(${id});try{`,
    );
    output.appendRight(body.end - 1, `}finally{__clockEnd(${id})}`);
  }
  return `(${String(setUp).replace(/\s*\n\s*/g, ' ')})(${JSON.stringify(ids)});${output}`;
}

/** @param {Definition} definition @returns {boolean} whether it can have a clock: it runs from its call to its end, and has a place for one */
export function canHaveClock({ node }) {
  return node.body.type === 'BlockStatement' && !node.async && !node.generator;
}

/** @param {string} code as `withClocks` made it, and instrumented since @returns {Map<string, number>} ids by `line:column` */
export function clockedPlaces(code) {
  const functions = functionsIn(code);
  const begins = [...code.matchAll(/__clockBegin\((\d+)\);try/g)];
  return new Map(
    begins.map(({ index, 1: id }) => {
      const { line, column } = functions[innermost(functions, index)];
      return [`${line}:${column}`, Number(id)];
    }),
  );
}

/** Runs in the page, once, as one line. Only what the workload does counts, which begins when it gets its input. @param {number[]} ids */
function setUp(ids) {
  const realm = /** @type {any} */ (globalThis);
  const clock = performance;
  const clocks = ids.map(() => ({ ms: 0, own: 0, calls: 0, depth: 0, began: 0 }));
  /** @type {typeof clocks} */
  const running = [];
  let since = 0;
  const charge = (/** @type {number} */ now) => {
    if (running.length > 0) running[running.length - 1].own += now - since;
    since = now;
  };
  const byId = new Map(ids.map((id, i) => [id, clocks[i]]));
  realm.__clockBegin = (/** @type {number} */ id) => {
    const own = /** @type {any} */ (byId.get(id));
    const now = clock.now();
    charge(now);
    running.push(own);
    if (own.depth++ > 0) return;
    own.calls++;
    own.began = now;
  };
  realm.__clockEnd = (/** @type {number} */ id) => {
    const own = /** @type {any} */ (byId.get(id));
    const now = clock.now();
    charge(now);
    running.pop();
    if (--own.depth === 0) own.ms += now - own.began;
  };
  realm.__clocks = () =>
    ids.map((id, i) => [id, { ms: clocks[i].ms, own: clocks[i].own, calls: clocks[i].calls }]);
  realm.__clockStep = () => {
    const begin = clock.now();
    const times = new Set([begin]);
    while (clock.now() - begin < 50) times.add(clock.now());
    return 50 / times.size;
  };
  const { fetch } = realm;
  realm.fetch = (/** @type {unknown[]} */ ...args) => {
    for (const own of clocks) Object.assign(own, { ms: 0, own: 0, calls: 0 });
    return fetch(...args);
  };
}
