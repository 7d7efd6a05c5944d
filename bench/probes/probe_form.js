/**
 * A probe is what stands at the start of a function, and what stands around the value that it returns.
 * @typedef {object} ProbeForm
 * @property {string} [setUp] in the script, before its functions
 * @property {(id: number) => string} enter
 * @property {(value: string) => string} leave what a return returns
 * @property {[string, string]} [around] the rest of a body
 * @property {string} [turn] at the end of each turn of a loop
 * @property {boolean} [outermostOnly] of a chain only the first function has it
 * @property {'script' | 'module' | 'function'} scope of the names that probes use
 * @property {string} baseline the form without probes in the same scope
 */

const FLAG = 'var H = { e() {}, l() {} }, F = new Int8Array(new SharedArrayBuffer(64));';
const SHADOW = 'var A = new Int32Array(new SharedArrayBuffer(131072)), B = 1; A[0] = 1;';

/** @param {string} leave @returns {(value: string) => string} */
const after = (leave) => (value) => `T=${value},${leave},T`;
/** @param {string} leave @returns {(value: string) => string} */
const before = (leave) => (value) => `${leave},${value}`;
const script = /** @type {const} */ ({ scope: 'script', baseline: 'plain' });

const ENTER_FLAG = 'F[F[8]=0]&&!--F[9]&&H.e()';
const enterFlag = () => `var T;${ENTER_FLAG};`;
const flag = { ...script, setUp: FLAG, enter: enterFlag, leave: after('F[1]&&H.l()') };
const enterShadow = (/** @type {number} */ id) => `var D=A[0],T;A[D]=B+${id},A[0]=D+1;`;
const shadow = { ...script, setUp: SHADOW, enter: enterShadow, leave: after('A[0]=D') };
const plain = { enter: () => '', leave: (/** @type {string} */ value) => value };

/** @param {'module' | 'function'} scope */
const scoped = (scope) => ({ scope, baseline: `plain, ${scope}` });
/** @param {Omit<ProbeForm, 'setUp'> & {setUp: string}} form @param {'module' | 'function'} scope */
const constantIn = (form, scope) => ({
  ...form,
  ...scoped(scope),
  setUp: form.setUp.replace('var', 'const'),
});

/** By name: ours are `flag` and `shadow`. @type {Record<string, ProbeForm>} */
export const FORMS = {
  plain: { ...plain, ...script },
  flag,
  'flag: leave looks before the value is computed': { ...flag, leave: before('F[1]&&H.l()') },
  'flag: try, finally': {
    ...flag,
    enter: () => `${ENTER_FLAG};`,
    leave: plain.leave,
    around: ['try{', '}finally{F[1]&&H.l()}'],
  },
  'flag: enter does not store': { ...flag, enter: () => 'var T;F[0]&&H.e();' },
  'flag: enter does not store, an array that may grow': {
    ...flag,
    setUp: FLAG.replace('(64)', '(64, { maxByteLength: 64 })'),
    enter: () => 'var T;F[0]&&H.e();',
  },
  'flag: one cell': { ...flag, enter: () => 'var T;F[0]&&H.e();', leave: after('F[0]&&H.l()') },
  'flag: enter only': { ...flag, enter: () => 'F[0]&&H.e();', leave: plain.leave },
  'flag: functions that are called': {
    ...flag,
    setUp: `${FLAG}function E(){${ENTER_FLAG}}function L(T){return F[1]&&H.l(),T}`,
    enter: () => 'E();',
    leave: (value) => `L(${value})`,
  },
  'flag: also at each turn of a loop': { ...flag, turn: ';F[2]&&H.l()' },
  'flag: outermost of a chain': { ...flag, outermostOnly: true },
  shadow,
  'shadow: restored before the value is computed': { ...shadow, leave: before('A[0]=D') },
  'shadow: try, finally': {
    ...shadow,
    enter: (id) => `var D=A[0];A[D]=B+${id},A[0]=D+1;`,
    leave: plain.leave,
    around: ['try{', '}finally{A[0]=D}'],
  },
  'shadow: ids are literals': { ...shadow, enter: (id) => `var D=A[0],T;A[D]=${id},A[0]=D+1;` },
  'shadow: functions that are called': {
    ...shadow,
    setUp: `${SHADOW}function E(id){var D=A[0];A[D]=id,A[0]=D+1;return D}function L(T,D){A[0]=D;return T}`,
    enter: (id) => `var D=E(B+${id});`,
    leave: (value) => `L(${value},D)`,
  },
  'shadow: outermost of a chain': { ...shadow, outermostOnly: true },
  'one word: id of what runs': {
    ...shadow,
    enter: (id) => `var D=A[0],T;A[0]=B+${id};`,
  },
  'one word: id and depth': {
    ...shadow,
    enter: (id) => `var D=A[0],T;A[0]=(D&4095)+1+(B+${id}<<12);`,
  },
  'one word: calling context': {
    ...shadow,
    enter: (id) => `var D=A[0],T;A[0]=Math.imul(D,3)+B+${id};`,
  },
  'shadow and flag': {
    ...shadow,
    setUp: `${FLAG}${SHADOW}`,
    enter: (id) => `var D=A[0],T;A[D]=B+${id},A[0]=D+1,F[0]&&H.e();`,
    leave: after('F[1]&&H.l(),A[0]=D'),
  },
  'plain, module': { ...plain, ...scoped('module') },
  'flag, module': { ...flag, ...scoped('module') },
  'flag, constants of a module': constantIn(flag, 'module'),
  'shadow, module': { ...shadow, ...scoped('module') },
  'shadow, constants of a module': constantIn(shadow, 'module'),
  'plain, function': { ...plain, ...scoped('function') },
  'flag, function': { ...flag, ...scoped('function') },
  'flag, constants of a function': constantIn(flag, 'function'),
  'shadow, function': { ...shadow, ...scoped('function') },
  'shadow, constants of a function': constantIn(shadow, 'function'),
};

/**
 * The same functions with that probe: one that engines are kept from inlining by its size, one that they inline, one that calls itself, three of which each
 * has one caller, and one that is a loop.
 * @param {ProbeForm} form
 * @returns {string} see `Form` in timed_loops.js
 */
export function formCode({ setUp = '', enter, leave, around = ['', ''], turn = '', outermostOnly, scope }) {
  const body = (/** @type {number} */ id, /** @type {string} */ statements, /** @type {string} */ value) =>
    `{${enter(id)}${around[0]}${statements};return ${leave(value)}${around[1]}}`;
  const inner = (/** @type {number} */ id, /** @type {string} */ statements, /** @type {string} */ value) =>
    outermostOnly ? `{${statements};return ${value}}` : body(id, statements, value);
  const code = `${setUp}
class Account {
  constructor() { this.sum = 0; this.count = 0; this.last = [0, 0, 0, 0] }
  book(x) ${body(
    1,
    `
    let y = x;
    for (let i = 0; i < 4; i++) y = (Math.imul(y, 1664525) + this.last[i]) | 0;
    this.last[y & 3] = y;
    if (y > 1e9) this.count++;
    else if (y < -1e9) this.count--;
    this.sum = (this.sum + y) | 0`,
    'this.sum + this.count',
  )}
}
function leaf(x) ${body(2, '', '(Math.imul(x, 1664525) + 12345) | 0')}
function ackermann(m, n) ${body(3, '', 'm === 0 ? n + 1 : n === 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1))')}
const words = ['probe', 'sampler', 'trie', 'trace', 'hook', 'frame', 'worker', 'tick'];
function hashOf(word, seed) ${inner(4, 'let h = seed; for (let i = 0; i < word.length; i++) h = Math.imul(h ^ word.charCodeAt(i), 16777619)', 'h')}
function slotOf(word, seed) ${inner(5, 'const h = hashOf(word, seed)', '(h ^ (h >>> 15)) & 1023')}
function count(table, word, seed) ${body(6, 'const slot = slotOf(word, seed); table[slot]++', 'slot')}
function churn(list, x) ${body(7, `for (let i = 0; i < 64; i++) { x = (x + list[(x ^ i) & 63]) | 0; list[i] = x${turn} }`, 'x')}
globalThis.__loops = {
  method(calls) {
    const accounts = [new Account(), new Account(), new Account()];
    let x = 1;
    for (let i = 0; i < calls; i++) x = accounts[i % 3].book(x) | 0;
    return x;
  },
  leaf(calls) {
    let x = 1;
    for (let i = 0; i < calls; i++) x = leaf(x);
    return x;
  },
  recursion(calls) {
    let x = 0;
    // Which makes 945 calls.
    for (let i = 0; i < calls; i += 945) x += ackermann(2, 20);
    return x;
  },
  chain(calls) {
    const table = new Int32Array(1024);
    let x = 1;
    for (let i = 0; i < calls; i++) x = count(table, words[i & 7], x);
    return x;
  },
  loop(calls) {
    const list = Array.from({ length: 64 }, (_, i) => i);
    let x = 1;
    for (let i = 0; i < calls; i++) x = churn(list, x);
    return x;
  },
};`;
  return scope === 'function' ? `(() => {\n${code}\n})();` : code;
}
