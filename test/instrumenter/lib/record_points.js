import vm from 'node:vm';
import { instrument } from '../../../instrumenter/instrument.js';
import { FunctionFlag } from '../../../instrumenter/tables/function_table.js';
import { COUNTDOWN } from '../../../polyfill/hook/flags.js';
import { readFunctionTable } from '../../../report/symbols/read_function_table.js';
import { quietOptions } from './quiet_options.js';
import { allTasks } from './realm.js';
import { runningSites } from './running_sites.js';

/**
 * Runs a program whose functions say `w('name of the function')` where they work, with the flag raised at every check, and finds
 * out which function each check would charge. Every function of it has a name of its own; the top level is called `top`.
 *
 * @param {string} code of a classic script
 * @param {boolean} [quiet] as many of its functions as possible, see `quietOptions`
 * @returns {Promise<{events: string[], charges: {charged: string, worked: string[]}[], unseen: string[], loud: string[]}>} `events`: work (`w f`)
 *   and checks (`e f`, `l f`, `r f`) in their order; `charges`: of each check that had work before it, who did that and who was
 *   charged; `unseen`: work that no check came after; `loud`: functions whose probes are not quiet
 */
export async function recordPoints(code, quiet = false) {
  const options = /** @type {const} */ ({ file: FILE, minWeight: 0, sourceType: 'script' });
  const { code: probed, table } = instrument(code, quiet ? quietOptions(code, options) : options);
  const { functions } = readFunctionTable(/** @type {Uint8Array} */ (table));
  const delegating = new Set(
    functions.filter((fn) => fn.flags & FunctionFlag.DELEGATES).map((fn) => fn.name),
  );

  const loud = functions
    .filter(({ flags }) => flags & FunctionFlag.PROBED && !(flags & FunctionFlag.QUIET))
    .map((fn) => fn.name);

  /** @type {string[]} */
  const events = [];
  /** @type {{charged: string, worked: string[]}[]} */
  const charges = [];
  /** @type {string[]} */
  let worked = [];
  /** @param {'e' | 'l' | 'r'} kind */
  const check = (kind) => () => {
    f[COUNTDOWN] = 1;
    const [here, ...callers] = runningSites(FILE).map((site) => site.name);
    events.push(`${kind} ${here}`);
    // Contract: docs/hook.md.
    let [caller = 'nothing'] = callers;
    if (kind === 'r') caller = callers.find((name) => !delegating.has(name)) ?? 'nothing';
    if (worked.length > 0) charges.push({ charged: kind === 'l' ? here : caller, worked });
    worked = [];
  };

  const f = new Int8Array(64).fill(1);
  const checkOfHint = { string: check('e'), number: check('l') };
  const context = vm.createContext({
    log() {},
    __polyprof__: {
      v: 1,
      f,
      s: [],
      e: check('e'),
      l: check('l'),
      r: check('r'),
      [Symbol.toPrimitive]: (/** @type {'string' | 'number'} */ hint) => checkOfHint[hint](),
    },
    w(/** @type {string} */ name) {
      events.push(`w ${name}`);
      worked.push(name);
    },
  });
  vm.runInContext(probed, context, { filename: FILE });
  await allTasks();
  return { events, charges, unseen: worked, loud };
}

const FILE = 'program.js';
