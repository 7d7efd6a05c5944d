import { launch } from '../../web-test/lib/browsers.js';
import { FOLDERS } from '../../web-test/lib/folders.js';
import { serve } from '../../web-test/lib/server.js';
import { count, engineNames, readOptions } from '../lib/options.js';
import { addRow, tableHead } from '../lib/table.js';

/** @import { Browser } from '../../web-test/lib/browsers.js' */
/** @import { Server } from '../../web-test/lib/server.js' */

/**
 * Why the flag and the probes that look at it are as they are (docs/hook.md): who sees a raised flag first, a function or its caller? A
 * loop calls a function until the JIT is done with both; then a worker raises the flag once per ms, and who sees it is charged.
 */

/** Checks on enter and leave; `H.e` charges the caller, `H.l` the function. Does the worker raise all cells by one store? */
const VARIANTS = {
  'one flag': { enter: 'F[0]&&H.e();', leave: 'F[0]&&H.l()', atOnce: true },
  'a flag for enter, one for leave': { enter: 'F[0]&&H.e();', leave: 'F[1]&&H.l()', atOnce: true },
  'the same, in an array that may grow': {
    enter: 'F[0]&&H.e();',
    leave: 'F[1]&&H.l()',
    atOnce: true,
    grows: true,
  },
  'one flag, in an array that may grow': {
    enter: 'F[0]&&H.e();',
    leave: 'F[0]&&H.l()',
    atOnce: true,
    grows: true,
  },
  'the same, and a store on enter': { enter: 'F[F[8]=0]&&H.e();', leave: 'F[1]&&H.l()', atOnce: true },
  'the same, raised one after the other': {
    enter: 'F[F[8]=0]&&H.e();',
    leave: 'F[1]&&H.l()',
    atOnce: false,
  },
};

/** `isPrime` takes some 150 ns of its loop's 155; the loop of `leaf` a few ns each. */
const CALLS = {
  isPrime: { warmUp: 'countPrimes(6e6)', measured: 'countPrimes(2e6)' },
  leaf: { warmUp: 'callsLeaf(1e7)', measured: 'callsLeaf(6e7)' },
};

const { engines, runs } = readOptions('Who sees a raised flag first, a function or its caller?', {
  engines: engineNames(),
  runs: count('of each page', 3),
});

/** @type {string[]} */
const lines = [];
console.log(tableHead(['cells', 'engine', 'isPrime, % of the ticks', 'leaf, % of the ticks']).join('\n'));
for (const engine of engines) {
  const server = await serve({ folders: { ...FOLDERS } });
  const browser = await launch(engine);
  for (const [name, variant] of Object.entries(VARIANTS)) {
    const isPrime = await sharesIn(browser, server, { ...variant, ...CALLS.isPrime });
    const leaf = await sharesIn(browser, server, { ...variant, ...CALLS.leaf });
    addRow(lines, [name, engine, isPrime.join(', '), leaf.join(', ')]);
  }
  await browser.close();
  await server.close();
}

/** @param {Browser} browser @param {Server} server @param {Parameters<typeof shareOfFunction>[0]} variant @returns {Promise<number[]>} %, of each run */
async function sharesIn(browser, server, variant) {
  const shares = [];
  for (let run = 0; run < runs; run++) {
    const page = await browser.open(server.url('/harness/blank.html'));
    shares.push(Math.round(100 * (await page.evaluate(shareOfFunction, variant))));
    await page.close();
  }
  return shares;
}

/**
 * Runs in the page.
 * @param {{enter: string, leave: string, atOnce: boolean, grows?: boolean, warmUp: string, measured: string}} variant
 * @returns {Promise<number>}
 */
async function shareOfFunction({ enter, leave, atOnce, grows = false, warmUp, measured }) {
  const [TICKS, UP, ON, STOP] = [0, 1, 2, 3];
  const Shared = /** @type {any} */ (SharedArrayBuffer);
  const flags = new Int8Array(new Shared(64, grows ? { maxByteLength: 64 } : undefined));
  const cells = new Int32Array(new SharedArrayBuffer(64));
  const worker = new Worker(
    URL.createObjectURL(
      new Blob([
        `onmessage = ({ data: [cells, flags] }) => {
          const word = new BigInt64Array(flags.buffer, 0, 1);
          postMessage('ready');
          while (Atomics.wait(cells, ${STOP}, 0, 1) === 'timed-out') {
            if (!Atomics.load(cells, ${ON})) continue;
            Atomics.add(cells, ${TICKS}, 1);
            if (Atomics.exchange(cells, ${UP}, 1) !== 0) continue;
            if (${atOnce}) Atomics.store(word, 0, 0x0101010101010101n);
            else for (let flag = 0; flag < 8; flag++) Atomics.store(flags, flag, 1);
          }
          close();
        };`,
      ]),
    ),
  );
  await new Promise((resolve) => {
    worker.onmessage = resolve;
    worker.postMessage([cells, flags]);
  });

  const charged = { caller: 0, callee: 0 };
  const seen = () => {
    flags.fill(0, 0, 8);
    Atomics.store(cells, UP, 0);
    return Atomics.exchange(cells, TICKS, 0);
  };
  const hook = {
    e: () => void (charged.caller += seen()),
    l: () => void (charged.callee += seen()),
  };
  const script = document.createElement('script');
  Object.assign(globalThis, { F: flags, H: hook });
  script.text = `
    function isPrime(n) {
      ${enter}
      for (let d = 2; d * d <= n; d++) if (n % d === 0) return ${leave}, false;
      return ${leave}, n > 1;
    }
    function countPrimes(below) {
      let count = 0;
      for (let n = 0; n < below; n++) if (isPrime(n)) count++;
      return count;
    }
    function leaf(x) {
      ${enter}
      for (let i = 0; i < 8; i++) x = (Math.imul(x, 1664525) + i) | 0;
      return ${leave}, x;
    }
    function callsLeaf(calls) {
      let x = 1;
      for (let i = 0; i < calls; i++) {
        x = leaf(x);
        for (let j = 0; j < 4; j++) x = (Math.imul(x, 22695477) + j) | 0;
      }
      return x;
    }
    function warmUp() { return ${warmUp}; }
    function measured() { return ${measured}; }`;
  document.head.append(script);
  const page = /** @type {any} */ (globalThis);
  page.warmUp();
  page.warmUp();
  Atomics.store(cells, ON, 1);
  page.measured();
  Atomics.store(cells, ON, 0);
  charged.caller += seen(); // what nobody saw
  Atomics.store(cells, STOP, 1);
  Atomics.notify(cells, STOP);
  return charged.callee / (charged.caller + charged.callee);
}
