import vm from 'node:vm';
import { parentPort, workerData } from 'node:worker_threads';
import { allTasks, makeRealm, shadowOf, show } from './realm.js';

// Runs in a thread with --experimental-vm-modules: { files: {name: code}, entry, mode } in, an outcome out.
const { files, entry, mode } = workerData;
const { context, outcome } = makeRealm(mode);
/** @type {Map<string, vm.SourceTextModule>} */
const modules = new Map();

/** @param {string} specifier @returns {vm.SourceTextModule} */
function load(specifier) {
  const name = specifier.replace(/^\.\//, '');
  let module = modules.get(name);
  if (!module) {
    if (!(name in files)) throw new Error(`no module is called ${specifier}`);
    module = new vm.SourceTextModule(files[name], {
      context,
      identifier: name,
      initializeImportMeta: (meta) => Object.assign(meta, { url: `site:/${name}` }),
      importModuleDynamically: async (/** @type {string} */ dynamic) => evaluated(load(dynamic)),
    });
    modules.set(name, module);
  }
  return module;
}

/** One evaluation each, also of those that are imported while they wait. @type {Map<vm.SourceTextModule, Promise<void>>} */
const evaluations = new Map();

/** @param {vm.SourceTextModule} module */
async function evaluated(module) {
  if (!evaluations.has(module)) evaluations.set(module, linkAndEvaluate(module));
  await evaluations.get(module);
  return module;
}

/** @param {vm.SourceTextModule} module */
async function linkAndEvaluate(module) {
  if (module.status === 'unlinked') await module.link(load);
  await module.evaluate();
}

let end;
try {
  const module = await evaluated(load(entry));
  await allTasks();
  const exported = Object.entries(module.namespace).map(([name, value]) => `${name}=${nameOrValue(value)}`);
  end = `exports: ${exported.join(', ')}`;
} catch (error) {
  end = `threw: ${show(error)}`;
}
parentPort?.postMessage({ ...outcome, shadow: shadowOf(context), log: [...outcome.log, end] });

/** @param {any} value */
function nameOrValue(value) {
  return typeof value === 'function' ? `function ${value.name}/${value.length}` : show(value);
}
