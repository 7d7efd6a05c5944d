import { element } from './element.js';

/** @import { PageProfile } from './page_data.js' */

/**
 * The viewer of https://www.speedscope.app in a frame of its own, made when it is first shown: it takes a whole document for itself.
 * @param {HTMLElement} place
 * @param {PageProfile[]} profiles
 */
export async function showFlameGraph(place, profiles) {
  if (place.childElementCount > 0) return;
  const obstacle = whyNoFlameGraph(profiles);
  if (obstacle) {
    place.append(element('p', { role: 'alert' }, obstacle));
    return;
  }
  const frame = element('iframe', { title: 'Flame graph by speedscope', srcdoc: viewerPage() });
  place.append(frame);
  await new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
  const inner = /** @type {Window & typeof globalThis} */ (frame.contentWindow);
  const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  // It takes files from when it can draw.
  while (!inner.document.querySelector('canvas')) await nextFrame();
  await nextFrame();
  // Pasting is its one way in that needs neither a server nor another file.
  const clipboardData = new inner.DataTransfer();
  clipboardData.setData('text', textOf('speedscope-profile'));
  inner.document.dispatchEvent(new inner.ClipboardEvent('paste', { clipboardData }));
}

/** @param {PageProfile[]} profiles @returns {string | null} null: it can be drawn */
function whyNoFlameGraph(profiles) {
  const isSeen = (/** @type {PageProfile} */ { nodeOfSample, msOfSample }) =>
    nodeOfSample.some((node, i) => node >= 0 && msOfSample[i] > 0);
  if (!profiles.some(isSeen))
    return 'There is nothing to draw: no function ran, or for how long is not known.';
  if (!document.createElement('canvas').getContext('webgl')) {
    return 'The flame graph is drawn by WebGL, which this browser does not have or may not use.';
  }
  return null;
}

function viewerPage() {
  // Written so that this script has no end of a script in it.
  const [script, style] = ['script', 'style'].map((tag) => [`<${tag}>`, `</${tag}>`]);
  return [
    '<!doctype html><meta charset="utf-8"><title>speedscope</title>',
    style.join(textOf('speedscope-css')),
    '<body>',
    script.join(textOf('speedscope-js')),
  ].join('');
}

/** @param {string} id of a script element with text */
function textOf(id) {
  return document.getElementById(id)?.textContent ?? '';
}
