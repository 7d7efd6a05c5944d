import assert from 'node:assert/strict';
import { test } from 'node:test';
import { collectFunctions } from '../../instrumenter/collect.js';
import { markEntryPoints } from '../../instrumenter/entry_points.js';
import { DEFAULT_MIN_WEIGHTS } from '../../instrumenter/options.js';
import { parseScript } from '../../instrumenter/parse.js';
import { selectFunctions } from '../../instrumenter/select.js';

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

const SIX = '{ one(); two(); three(); }';

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
  'by promises, if they do something': [`load().then((x) => x.json()).then(() => ${SIX})`, `() => ${SIX}`],
};

for (const [how, [code, expected]] of Object.entries(CASES)) {
  test(`small functions get probes if the event loop calls them: ${how}`, () => {
    assert.equal(probed(code), expected);
  });
}

test('other small functions get none, whatever they are given to', () => {
  assert.equal(
    probed(
      'list.map((x) => f(x)); list.sort(function (a, b) { return less(a, b); }); retry(() => g()); api.once = () => h(); [onclick] = [() => h()]; constructor(() => i())',
    ),
    '',
  );
});

test('functions that do nothing get none, whoever calls them', () => {
  assert.equal(
    probed('setTimeout(() => {}); setTimeout(() => x); setTimeout(none); const f = 1; setTimeout(f)'),
    '',
  );
});
