import { parseArgs } from 'node:util';
import { instrument } from '../instrumenter/instrument.js';
import { NS_PER_CALL } from '../instrumenter/budget/probe_costs.js';
import { ENGINE_NAMES, launch, selectedEngines } from '../web-test/lib/browsers.js';
import { FOLDERS } from '../web-test/lib/folders.js';
import { serve } from '../web-test/lib/server.js';
import { chosen, positive } from './arguments.js';
import { entryChecks } from './entry_check.js';
import { addRow, machine, writeLines } from './report.js';
import { median } from './statistics.js';

/**
 * What one call of a function with a probe costs more than without, ns, dormant and while a session samples at 10 ms:
 *
 *     node bench/micro.js [--engines a,b] [--runs N]
 *
 * The function is a method that the engine is kept from inlining by its size, as those are that a budget leaves probes in; `leaf` is one that it
 * may inline. Each form runs in a page of its own, turn by turn; the median of all runs is shown. Writes bench/results/micro.md.
 */

const { values } = parseArgs({
  options: { engines: { type: 'string' }, runs: { type: 'string', default: '5' } },
});
const engines = values.engines ? chosen('--engines', values.engines, ENGINE_NAMES) : selectedEngines();
const runs = positive('--runs', values.runs);

const CODE = `
class Account {
  constructor() { this.sum = 0; this.count = 0; this.last = [0, 0, 0, 0] }
  book(x) {
    let y = x;
    for (let i = 0; i < 4; i++) y = (Math.imul(y, 1664525) + this.last[i]) | 0;
    this.last[y & 3] = y;
    if (y > 1e9) this.count++;
    else if (y < -1e9) this.count--;
    this.sum = (this.sum + y) | 0;
    return this.sum + this.count;
  }
}
function leaf(x) { return (Math.imul(x, 1664525) + 12345) | 0 }
globalThis.__methods = (calls) => {
  const accounts = [new Account(), new Account(), new Account()];
  let x = 1;
  for (let i = 0; i < calls; i++) x = accounts[i % 3].book(x) | 0;
  return x;
};
globalThis.__leaves = (calls) => { let x = 1; for (let i = 0; i < calls; i++) x = leaf(x); return x };`;

const PAGE = `<!doctype html><title>micro</title><link rel="icon" href="data:,"><script src="/dist/polyprof.js"></script><script src="micro.js"></script>`;
const LOOPS = { methods: 2e7, leaf: 1e8 };
const probed = (/** @type {string} */ probe) =>
  instrument(CODE, { probe, minWeight: 0, file: 'micro.js', sourceMap: false }).code;
/** @type {Record<string, {code: string, interval?: number, worker?: boolean}>} */
const FORMS = {
  plain: { code: CODE },
  'flag, off': { code: probed('flag') },
  'flag, 10 ms': { code: probed('flag'), interval: 10 },
  // Isolated all the same, for the finer clock.
  'self-timed, 10 ms': { code: probed('flag'), interval: 10, worker: false },
  'shadow, off': { code: probed('shadow') },
  'shadow, 10 ms': { code: probed('shadow'), interval: 10 },
  'entry check only, off': { code: entryChecks(CODE) },
  counting: { code: probed('count') },
};

const host = machine();
const lines = [
  `${host.cores} × ${host.cpu}, ${host.date}. Nanoseconds per call more than without a probe, median of ${runs} runs; in parentheses the call itself.`,
  '',
  '| engine | form | method | leaf that is inlined |',
  '|---|---|---|---|',
];
console.log(lines.slice(2).join('\n'));
for (const engine of engines) {
  const browser = await launch(engine);
  /** @type {Map<string, {methods: number[], leaf: number[]}>} */
  const times = new Map(Object.keys(FORMS).map((name) => [name, { methods: [], leaf: [] }]));
  for (let run = 0; run < runs; run++) {
    for (const [name, { code, interval = 0, worker = true }] of Object.entries(FORMS)) {
      const table = Buffer.from('');
      const overrides = {
        '/micro.js': { body: code },
        '/micro.js.ppft': { body: table },
        '/micro.html': { body: PAGE },
      };
      const server = await serve({ folders: { '/dist/': FOLDERS['/dist/'] }, overrides });
      const page = await browser.open(server.url('/micro.html'));
      const ns = await page.evaluate(timeCalls, LOOPS, interval, worker);
      times.get(name)?.methods.push(ns.methods);
      times.get(name)?.leaf.push(ns.leaf);
      await page.close();
      await server.close();
    }
  }
  await browser.close();
  const plain = times.get('plain') ?? { methods: [], leaf: [] };
  for (const [name, { methods, leaf }] of times) {
    const more = (/** @type {number[]} */ a, /** @type {number[]} */ b) =>
      median(a.map((ns, i) => ns - b[i])).toFixed(2);
    const cells =
      name === 'plain'
        ? [`(${median(methods).toFixed(1)})`, `(${median(leaf).toFixed(1)})`]
        : [more(methods, plain.methods), more(leaf, plain.leaf)];
    addRow(lines, [engine, name, ...cells]);
  }
}
console.log(`\nbudgets reckon with ${JSON.stringify(NS_PER_CALL)} (instrumenter/budget/probe_costs.js)`);
writeLines('micro.md', lines);

/**
 * Runs in the page.
 * @param {{methods: number, leaf: number}} loops
 * @param {number} interval 0: nothing is profiled
 * @param {boolean} worker samples
 */
async function timeCalls(loops, interval, worker) {
  const page = /** @type {any} */ (globalThis);
  let profiler;
  if (interval) {
    page.polyprof.install({ force: true, worker });
    profiler = await page.performance.profile({ sampleInterval: interval });
  }
  const time = (/** @type {(calls: number) => number} */ work, /** @type {number} */ calls) => {
    for (let i = 0; i < 3; i++) work(calls / 50);
    // What disturbs a loop makes it slower, never faster: the fastest of many is what the code takes.
    let fastest = Infinity;
    for (let part = 0; part < 400; part++) {
      const start = performance.now();
      work(calls / 400);
      fastest = Math.min(fastest, performance.now() - start);
    }
    return (fastest * 400 * 1e6) / calls;
  };
  const result = { methods: time(page.__methods, loops.methods), leaf: time(page.__leaves, loops.leaf) };
  await profiler?.stop();
  return result;
}
