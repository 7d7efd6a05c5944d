/** A workload that works when it is told to. Understands the query of the workload's own page, but for `scale`. */

const realm = /** @type {any} */ (globalThis);
const query = new URLSearchParams(location.search);
const folder = query.get('folder');

realm.__loadScript = (/** @type {string} */ src) => addScript(`${folder}${src}`);

/** @type {unknown} */
let input;
/** @type {any} */
let profiler;

realm.__ready = (async () => {
  await addScript(`${folder}${query.get('workload')}.js`);
  input = await (await fetch(`${folder}input.json`)).json();
  if (!query.has('interval')) return;
  await addScript('/dist/polyprof.js');
  realm.polyprof.install({ force: true });
  profiler = await /** @type {any} */ (performance).profile({
    sampleInterval: Number(query.get('interval')),
    maxBufferSize: 100_000,
  });
})();

realm.__turn = async (/** @type {number} */ scale) => {
  const start = performance.now();
  const digest = await realm.__workload.run(input, scale);
  return { ms: performance.now() - start, digest };
};

realm.__end = () => profiler?.stop();

/** @param {string} address */
function addScript(address) {
  const script = document.createElement('script');
  script.src = address;
  return new Promise((resolve, reject) => {
    script.onload = resolve;
    script.onerror = () => reject(new Error(`${address} could not be loaded: was it built (npm run build)?`));
    document.head.append(script);
  });
}
