import { launch, selectedEngines } from '../web-test/lib/browsers.js';
import { FOLDERS } from '../web-test/lib/folders.js';
import { serve } from '../web-test/lib/server.js';

/**
 * Does a JIT see that a flag is raised? A loop calls a function of some 150 ns until the JIT is done with both; then a worker
 * raises the flags once per ms, and who sees them first is charged. Why probes look as they do: docs/hook.md.
 *
 *     node bench/flag_cells.js [runs]
 *
 * Engines are those of POLYPROF_BROWSERS.
 */

const RUNS = Number(process.argv[2] ?? 3);

/** Enter and leave checks; `H.e` charges the caller, `H.l` the function. */
const VARIANTS = {
  'one flag': ['F[0]&&H.e();', 'F[0]&&H.l()'],
  'a flag for enter, one for leave': ['F[0]&&H.e();', 'F[1]&&H.l()'],
  'the same, and a store on enter': ['F[F[4]=0]&&H.e();', 'F[1]&&H.l()'],
};

console.log('| cells | engine | share of the ticks that the function got, % |\n|---|---|---|');
for (const engine of selectedEngines()) {
  const server = await serve({ folders: { ...FOLDERS } });
  const browser = await launch(engine);
  for (const [name, checks] of Object.entries(VARIANTS)) {
    const shares = [];
    for (let run = 0; run < RUNS; run++) {
      const page = await browser.open(server.url('/harness/blank.html'));
      shares.push(await page.evaluate(shareOfFunction, checks));
      await page.close();
    }
    console.log(`| ${name} | ${engine} | ${shares.map((share) => Math.round(100 * share)).join(', ')} |`);
  }
  await browser.close();
  await server.close();
}

/** Runs in the page. @param {string[]} checks @returns {Promise<number>} */
async function shareOfFunction([enter, leave]) {
  const [TICKS, UP, ON, STOP] = [8, 9, 10, 11];
  const cells = new Int32Array(new SharedArrayBuffer(64));
  const worker = new Worker(
    URL.createObjectURL(
      new Blob([
        `onmessage = ({ data: cells }) => {
          postMessage('ready');
          while (Atomics.wait(cells, ${STOP}, 0, 1) === 'timed-out') {
            if (!Atomics.load(cells, ${ON})) continue;
            Atomics.add(cells, ${TICKS}, 1);
            if (Atomics.exchange(cells, ${UP}, 1) === 0) cells.fill(1, 0, 4);
          }
          close();
        };`,
      ]),
    ),
  );
  await new Promise((resolve) => {
    worker.onmessage = resolve;
    worker.postMessage(cells);
  });

  const charged = { caller: 0, callee: 0 };
  const seen = () => {
    cells.fill(0, 0, 4);
    Atomics.store(cells, UP, 0);
    return Atomics.exchange(cells, TICKS, 0);
  };
  const hook = {
    e: () => void (charged.caller += seen()),
    l: () => void (charged.callee += seen()),
  };
  const script = document.createElement('script');
  Object.assign(globalThis, { F: cells, H: hook });
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
    }`;
  document.head.append(script);
  const { countPrimes } = /** @type {any} */ (globalThis);
  countPrimes(3e6);
  countPrimes(3e6);
  Atomics.store(cells, ON, 1);
  countPrimes(2e6);
  Atomics.store(cells, ON, 0);
  charged.caller += seen(); // what nobody saw
  Atomics.store(cells, STOP, 1);
  Atomics.notify(cells, STOP);
  return charged.callee / (charged.caller + charged.callee);
}
