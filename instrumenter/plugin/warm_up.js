import { instrumentHere } from './instrument_chunk.js';

/** A little of everything that scripts have. */
const SCRIPT = `
export class A extends B {
  #a = 1;
  static b = [/c/g, ...d];
  constructor(e) { super(); this.e = e }
  get f() { return this.#a ?? this.e?.f }
  static async g({ h, ...i } = {}, [j] = []) {
    for (const k of await j) if (k && !i[k]) try { l(h + k) } catch (m) { throw new Error(\`n \${m}\`) }
  }
}
function* l(o, ...p) {
  let q = 0;
  while (q++ < o) switch (p[q]) { case 'r': yield* p; break; default: continue }
  return () => ({ l, p: p.map((s) => s * 2), 't': void 0 });
}
const { u: v = 1 } = globalThis.w || {};
new A(v).f, l(1);
export default function (x) { var y = function () { return arguments.length }; do y(x); while (x-- > 0) }
`;

const MAP = {
  version: 3,
  names: [],
  sources: ['a.ts'],
  mappings: 'AAAA;AACA'.padEnd(SCRIPT.split('\n').length * 5 - 1, ';AACA'),
};

/** V8 compiles a function when it is first called: for the instrumenter better before a bundler waits. @returns what became of the script */
export function warmUp() {
  const project = {
    key: '',
    settings: { probe: /** @type {const} */ ('flag'), minWeight: 0, include: [/a/], exclude: [] },
    root: '/',
    calibrating: {},
  };
  const chunk = { code: SCRIPT, file: 'a.js', folder: '/', sourceType: /** @type {const} */ ('module') };
  return instrumentHere(project, { ...chunk, map: JSON.stringify(MAP), mapTo: 'sources' });
}
