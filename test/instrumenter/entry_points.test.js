import assert from 'node:assert/strict';
import { test } from 'node:test';
import { collectFunctions } from '../../instrumenter/functions/collect_functions.js';
import { markEntryPoints } from '../../instrumenter/functions/entry_points.js';
import { DEFAULT_MIN_WEIGHTS } from '../../instrumenter/options.js';
import { parseScript } from '../../instrumenter/syntax/parse.js';
import { selectFunctions } from '../../instrumenter/functions/select.js';

/**
 * @param {string} code
 * @returns {string} source texts of the functions with probes, as by default; the top level is left out
 */
function probed(code) {
  const { program } = parseScript(code, { file: 'app.js', sourceType: 'unambiguous' });
  const { records, callbacks } = collectFunctions(program, code);
  markEntryPoints(callbacks, records);
  selectFunctions(records, { minWeight: DEFAULT_MIN_WEIGHTS.flag, probe: 'flag' });
  const functions = records.filter(({ kind, probed }) => kind === 'function' && probed);
  return functions.map(({ node }) => code.slice(node.start, node.end)).join('; ');
}

const SEVEN = '{ one(); two(); three(); return 4; }';

/** What is called, and the functions in it that get probes. @type {Record<string, [code: string, probed: string]>} */
const CASES = {
  'by timers and before frames': [
    'setTimeout(() => step(), 10); window.requestAnimationFrame(function () { step(); });',
    '() => step(); function () { step(); }',
  ],
  'by name': [
    'function frame() { step(); requestAnimationFrame(frame); } requestAnimationFrame(frame);',
    'function frame() { step(); requestAnimationFrame(frame); }',
  ],
  'by the name of a variable': [
    'const frame = () => { step(); }; requestIdleCallback(frame);',
    '() => { step(); }',
  ],
  'by the nearest of several names': [
    '(() => { function e() { far(); } (() => { function e() { near(); } function t() { setTimeout(e); } })(); })();',
    'function e() { near(); }',
  ],
  bound: ['function tick() { step(); } setInterval(tick.bind(this), 9);', 'function tick() { step(); }'],
  'by events': [
    "button.addEventListener('click', () => buy(1)); socket.onmessage = function (e) { show(e); }; onmessage = (e) => work(e); worker?.addEventListener('error', e => fail(e))",
    '() => buy(1); function (e) { show(e); }; (e) => work(e); e => fail(e)',
  ],
  'by observers': ['new ResizeObserver(() => { layOut(); }).observe(box);', '() => { layOut(); }'],
  'by the browser, of elements': [
    'class Clock extends HTMLElement { connectedCallback() { this.draw(); } draw() { paint(); } }',
    'connectedCallback() { this.draw(); }',
  ],
  'as components': [
    'const Row = (p) => jsx("li", f(p)); function App() { return (0, r.jsxs)(Row, {}) } const Old = (p) => h(p, 1); React.createElement(Old); const Kept = memo((p) => h(p, 2)); _jsx(App, {})',
    '(p) => jsx("li", f(p)); function App() { return (0, r.jsxs)(Row, {}) }; (p) => h(p, 1); (p) => h(p, 2)',
  ],
  'by React, as what hooks take': [
    'function useSum() { (0, r.useEffect)(() => { save(sum); }); return useMemo(() => add(sum, 1), [sum]) }',
    '() => { save(sum); }; () => add(sum, 1)',
  ],
  'by frameworks, as handlers': [
    'jsx("b", { onClick: () => buy(1), "onKeyDown": (e) => move(e), onDoubleClickCapture: () => see(1), onSelect: () => own(1) }); b.$$input = (e) => edit(e); b.__click = () => sell(1); v("b", { onChange: c[0] || (c[0] = (e) => set(e)), onInput: c[1] ||= (e) => put(e) }); html`<b @click=${() => lit(1)} .value=${() => f(1)}>`; ({ onSubmit(e) { send(e) } })',
    '() => buy(1); (e) => move(e); () => see(1); (e) => edit(e); () => sell(1); (e) => set(e); (e) => put(e); () => lit(1); onSubmit(e) { send(e) }',
  ],
  'by frameworks, as what handles an event': [
    'listener("click", function () { return go(1); }); $("a").on(`mouseenter`, (e) => show(e)); bus.on("done", () => f(1))',
    'function () { return go(1); }; (e) => show(e)',
  ],
  'by frameworks, as methods of components': [
    `class A { render() ${SEVEN} ngOnInit() ${SEVEN} componentDidMount() ${SEVEN} other() ${SEVEN} }`,
    `render() ${SEVEN}; ngOnInit() ${SEVEN}; componentDidMount() ${SEVEN}`,
  ],
  'by runners of tests': [
    "describe('sum', () => { beforeEach(() => clear(1)); it('adds ' + n, () => { add(1); }); (0, v.test)(`is ${fast}`, async () => { await run(1); }); it.only('ends', end) }); function end() { stop(1); } pattern.test(text, () => f(1)); QUnit.test('all', (assert) => { assert.ok(1); })",
    "() => { beforeEach(() => clear(1)); it('adds ' + n, () => { add(1); }); (0, v.test)(`is ${fast}`, async () => { await run(1); }); it.only('ends', end) }; () => clear(1); () => { add(1); }; async () => { await run(1); }; function end() { stop(1); }; (assert) => { assert.ok(1); }",
  ],
  'by promises, if they do something': [
    `load().then((x) => x.json()).then(() => ${SEVEN})`,
    `() => ${SEVEN}`,
  ],
};

for (const [how, [code, expected]] of Object.entries(CASES)) {
  test(`small functions get probes if the event loop calls them: ${how}`, () => {
    assert.equal(probed(code), expected);
  });
}

test('other small functions get none, whatever they are given to', () => {
  assert.equal(
    probed(
      'list.map((x) => f(x)); list.sort(function (a, b) { return less(a, b); }); retry(() => g()); api.once = () => h(); api.__b = (v) => i(v); [onclick] = [() => h()]; constructor(() => i())',
    ),
    '',
  );
});

test('a parameter is no function of its name', () => {
  assert.equal(probed('function e() { f(1); } function Box(e) { return jsx(e, {}) }'), '');
});

test('functions that do nothing get none, whoever calls them', () => {
  assert.equal(
    probed('setTimeout(() => {}); setTimeout(() => x); setTimeout(none); const f = 1; setTimeout(f)'),
    '',
  );
});
