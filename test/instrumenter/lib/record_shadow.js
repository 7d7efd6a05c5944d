import vm from 'node:vm';
import { instrument } from '../../../instrumenter/instrument.js';
import { FunctionFlag } from '../../../instrumenter/tables/function_table.js';
import { readFunctionTable } from '../../../report/symbols/read_function_table.js';
import { allTasks } from './realm.js';
import { runningSites } from './running_sites.js';

const FILE = 'program.js';

/**
 * Runs a program with shadow probes whose functions say `w()` where they work, and reads the shadow stack there.
 *
 * @param {string} code of a classic script; every function of it has a name of its own
 * @param {{minWeight?: number}} [options]
 * @returns {Promise<{work: {shadow: string[], native: string[]}[], depth: number}>} `work`: at each `w()` the running functions with
 *   probes, outermost first, as the shadow stack says and as V8 says; `depth` when no task is left, 1 if nothing runs
 */
export async function recordShadow(code, { minWeight = 0 } = {}) {
  const built = instrument(code, { file: FILE, probe: 'shadow', minWeight, sourceType: 'script' });
  const { functions } = readFunctionTable(/** @type {Uint8Array} */ (built.table));
  const lines = built.code.split('\n');
  const names = functions.map(({ name, flags }) => (flags & FunctionFlag.TOP_LEVEL ? 'top' : name));
  const probed = new Set(names.filter((_, row) => functions[row].flags & FunctionFlag.PROBED));

  /** @type {{shadow: string[], native: string[]}[]} */
  const work = [];
  const context = vm.createContext({
    log() {},
    w() {
      const { d, s } = context.__polyprof__;
      const [[, , , firstId]] = s;
      const shadow = [...d.slice(1, d[0])].map((id) => names[id - firstId]);
      const native = runningSites(FILE)
        .filter(({ name }) => probed.has(name))
        .filter(({ line, column }) => !isSuspended(lines[line - 1], column - 1))
        .map(({ name }) => name)
        .reverse();
      work.push({ shadow, native });
    },
  });
  vm.runInContext(built.code, context, { filename: FILE });
  await allTasks();
  return { work, depth: context.__polyprof__.d[0] };
}

/**
 * V8 has functions on its stack that are suspended or have left: that delegate to a generator, whose await asks for the value's `then`
 * or the iterator's next step, or whose return or jump out of a `for await` closes the iterator.
 * @param {string} line
 * @param {number} at where the function is
 */
function isSuspended(line, at) {
  return (
    /^(=yield\*|=await|for await |=0\})/.test(line.slice(at)) ||
    /(for await \(const |__ppD=0[,;])$/.test(line.slice(0, at))
  );
}
