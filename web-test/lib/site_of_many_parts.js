import { createHash } from 'node:crypto';
import { outerScript, startOuter } from './nested_worker.js';
import { serve } from './server.js';

/**
 * What workers say once they run, by kind; a worker and a frame in a frame of another site; what is shown of pictures and texts; and scripts that the page loads
 * later, with their digests.
 */
export const PARTS_SAY = {
  classic: 'imported',
  module: 'imported',
  nested: 'inner',
  shared: 'shared',
  blob: 'blob',
  framed: 'imported',
  framedTwice: 'framed',
  framedPicture: 'svg',
  objectPicture: 'svg',
  framedText: 'html',
  pictureElsewhere: 'svg',
  lazy: 'loaded',
  lazyAttribute: 'loaded',
};

const LAZY = "function lazy() { return 'loaded'; } document.currentScript.says = lazy();";
const DIGEST = `sha256-${createHash('sha256').update(LAZY).digest('base64')}`;

const PAGE = `<!doctype html><title>parts</title><script src="page.js"></script>`;

const FRAME = `<!doctype html><script>
  const tell = (kind, says) => parent.postMessage({ kind, says }, '*');
  const worker = new Worker('classic.js');
  worker.onmessage = ({ data }) => tell('framed', data);
  worker.onerror = () => tell('framed', 'error');
  onmessage = ({ data }) => tell('framedTwice', data);
</script><iframe src="inner_frame.html" onload="setTimeout(() => tell('framedTwice', 'error'), 2000)"></iframe>`;

const PICTURE = `<svg xmlns="http://www.w3.org/2000/svg"><script>
  parent.postMessage({ kind: 'picture', says: document.documentElement.nodeName }, '*');
</script></svg>`;

const INNER_FRAME = `<!doctype html><script>parent.postMessage('framed', '*')</script>`;

/** `parts()`: what each says, or that it could not be had. */
const SCRIPT = `
function heard(worker, port = worker) {
  return new Promise((resolve) => {
    port.onmessage = ({ data }) => resolve(data);
    worker.onerror = () => resolve('error');
  });
}
const elsewhere = location.href.replace('127.0.0.1', 'localhost');
function put(name, properties) {
  const element = Object.assign(document.createElement(name), properties);
  document.body.append(element);
  return element;
}
function posted(kind, source) {
  return new Promise((resolve) => {
    addEventListener('message', (event) => {
      const isOfSource = source === undefined || event.source === source.contentWindow;
      if (isOfSource && event.data.kind === kind) resolve(event.data.says);
    });
    setTimeout(resolve, 20_000, 'nothing');
  });
}
function shown(name, properties) {
  return new Promise((resolve) => {
    const element = put(name, properties);
    element.onload = () => resolve(element.contentDocument?.documentElement.nodeName.toLowerCase() ?? 'nothing');
    element.onerror = () => resolve('error');
  });
}
function framed() {
  put('iframe', { src: elsewhere + 'frame.html' });
  return {
    framed: posted('framed'),
    framedTwice: posted('framedTwice'),
    framedPicture: shown('iframe', { src: 'picture.svg' }),
    objectPicture: shown('object', { data: 'picture.svg' }),
    framedText: shown('iframe', { src: 'text.txt' }),
    pictureElsewhere: posted('picture', put('iframe', { src: elsewhere + 'picture.svg' })),
  };
}
function loaded(setDigest) {
  const script = Object.assign(document.createElement('script'), { src: 'lazy.js' });
  setDigest(script, '${DIGEST}');
  document.head.append(script);
  return new Promise((resolve) => {
    script.onload = () => resolve(script.says);
    script.onerror = () => resolve('error');
  });
}
${startOuter}
async function parts() {
  const blob = URL.createObjectURL(new Blob(["postMessage('blob')"]));
  const shared = new SharedWorker('shared.js');
  const all = {
    classic: heard(new Worker('classic.js')),
    module: heard(new Worker('module.js', { type: 'module' })),
    nested: startOuter('outer.js').then(({ says }) => says),
    shared: heard(shared, shared.port),
    blob: heard(new Worker(blob)),
    ...framed(),
    lazy: loaded((script, digest) => (script.integrity = digest)),
    lazyAttribute: loaded((script, digest) => script.setAttribute('integrity', digest)),
  };
  const said = {};
  for (const [kind, says] of Object.entries(all)) said[kind] = await says;
  return said;
}`;

/** A site with a worker of each kind, and with a frame of another site. */
export function serveSiteOfManyParts() {
  return serve({
    folders: {},
    isolated: false,
    overrides: {
      '/': { body: PAGE, headers: { 'Content-Type': 'text/html' } },
      '/frame.html': { body: FRAME, headers: { 'Content-Type': 'text/html' } },
      '/inner_frame.html': { body: INNER_FRAME, headers: { 'Content-Type': 'text/html' } },
      '/picture.svg': { body: PICTURE, headers: { 'Content-Type': 'image/svg+xml' } },
      '/text.txt': { body: 'text', headers: { 'Content-Type': 'text/plain' } },
      '/page.js': { body: SCRIPT },
      '/lazy.js': { body: LAZY },
      '/classic.js': { body: "importScripts('imported.js'); postMessage(imported);" },
      '/imported.js': { body: "var imported = 'imported';" },
      '/module.js': { body: "import { imported } from './imported_module.js'; postMessage(imported);" },
      '/imported_module.js': { body: "export const imported = 'imported';" },
      '/outer.js': { body: outerScript('inner.js') },
      '/inner.js': { body: "postMessage('inner');" },
      '/shared.js': { body: "onconnect = ({ ports: [port] }) => port.postMessage('shared');" },
    },
  });
}
