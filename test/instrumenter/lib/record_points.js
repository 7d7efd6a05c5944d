import vm from 'node:vm';
import { instrument } from '../../../instrumenter/instrument.js';
import { FunctionFlag } from '../../../instrumenter/function_table.js';
import { readFunctionTable } from '../../../report/function_table.js';
import { allTasks } from './realm.js';
import { runningSites } from './running_sites.js';

/**
 * Runs a program whose functions say `w('name of the function')` where they work, with the flag raised at every check, and finds
 * out which function each check would charge. Every function of it has a name of its own; the top level is called `top`.
 *
 * @param {string} code of a classic script
 * @returns {Promise<{events: string[], charges: {charged: string, worked: string[]}[], unseen: string[]}>} `events`: work (`w f`)
 *   and checks (`e f`, `l f`, `r f`) in their order; `charges`: of each check that had work before it, who did that and who was
 *   charged; `unseen`: work that no check came after
 */
export async function recordPoints(code) {
  const { code: probed, table } = instrument(code, { file: FILE, minWeight: 0, sourceType: 'script' });
  const { functions } = readFunctionTable(/** @type {Uint8Array} */ (table));
  const delegating = new Set(
    functions.filter((fn) => fn.flags & FunctionFlag.DELEGATES).map((fn) => fn.name),
  );

  /** @type {string[]} */
  const events = [];
  /** @type {{charged: string, worked: string[]}[]} */
  const charges = [];
  /** @type {string[]} */
  let worked = [];
  /** @param {'e' | 'l' | 'r'} kind */
  const check = (kind) => () => {
    const [here, ...callers] = runningSites(FILE).map((site) => site.name);
    events.push(`${kind} ${here}`);
    // Contract: docs/hook.md.
    let [caller = 'nothing'] = callers;
    if (kind === 'r') caller = callers.find((name) => !delegating.has(name)) ?? 'nothing';
    if (worked.length > 0) charges.push({ charged: kind === 'l' ? here : caller, worked });
    worked = [];
  };

  const context = vm.createContext({
    log() {},
    __polyprof__: {
      v: 1,
      f: new Int8Array(64).fill(1),
      s: [],
      e: check('e'),
      l: check('l'),
      r: check('r'),
    },
    w(/** @type {string} */ name) {
      events.push(`w ${name}`);
      worked.push(name);
    },
  });
  vm.runInContext(probed, context, { filename: FILE });
  await allTasks();
  return { events, charges, unseen: worked };
}

const FILE = 'program.js';
