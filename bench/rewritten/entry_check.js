import MagicString from 'magic-string';
import { collectFunctions } from '../../instrumenter/functions/collect_functions.js';
import { DEFAULT_MIN_WEIGHTS } from '../../instrumenter/options.js';
import { parseScript } from '../../instrumenter/syntax/parse.js';

/** What stands at the beginning of a function's body. */
export const CHECK = '__ecF[0]&&__ecC();';

/**
 * The older design, for comparison: a function looks at a flag when it is entered, nowhere else, and whoever sees it raised takes
 * `Error().stack`. It needs no worker's help but for the flag; its samples go to whoever is entered next.
 * @param {string} code of a classic script
 * @returns {string} with checks in the functions that ours would have probes in
 */
export function entryChecks(code) {
  const { program } = parseScript(code, { file: 'script.js', sourceType: 'script' });
  const output = new MagicString(code);
  for (const { kind, weight, node, obstacle } of collectFunctions(program, code).records) {
    if (
      kind !== 'function' ||
      weight < DEFAULT_MIN_WEIGHTS.flag ||
      obstacle ||
      node.body.type !== 'BlockStatement'
    )
      continue;
    const directive = node.body.directives.at(-1);
    output.appendLeft(directive ? directive.end : node.body.start + 1, `${directive ? ';' : ''}${CHECK}`);
  }
  return `var __ecF,__ecC;(${String(setUp).replace(/\s*\n\s*/g, ' ')})();${output}`;
}

/**
 * Runs in the page, once, as one line. If the address has a parameter `entry`, a worker raises the flag: every so many ms, or 10. The page gets its
 * input when the worker runs: one that has not begun cannot begin while the page is busy.
 */
function setUp() {
  const realm = /** @type {any} */ (globalThis);
  if (realm.__ecF) return;
  const flag = new Int32Array(new SharedArrayBuffer(8));
  realm.__ecF = flag;
  realm.__ecSamples = [];
  realm.__ecC = () => {
    flag[0] = 0;
    realm.__ecSamples.push([performance.now(), Error().stack]);
  };
  const interval = new URLSearchParams(realm.location.search).get('entry');
  if (interval === null) return;
  const code =
    'onmessage=({data:[f,ms]})=>{postMessage(0);for(;;){Atomics.wait(f,1,0,ms);Atomics.store(f,0,1)}}';
  const worker = new Worker(URL.createObjectURL(new Blob([code])));
  const running = new Promise((resolve) => (worker.onmessage = resolve));
  worker.postMessage([flag, Number(interval) || 10]);
  const { fetch } = realm;
  realm.fetch = (/** @type {unknown[]} */ ...args) => running.then(() => fetch(...args));
}
