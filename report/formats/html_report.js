import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { formatPlace } from '../traces/location.js';
import { describeLosses } from '../traces/losses.js';
import { formatCount, percent } from '../numbers.js';
import { PathTrie } from '../traces/path_trie.js';
import { MERGED, sampleCounts, sampleTotal } from '../traces/sample_counts.js';
import { sampleWeights, usualInterval } from '../traces/sample_weights.js';
import { speedscopePieces } from './speedscope.js';

/** @import { ProfilerTrace } from '../reading/check_trace.js' */
/** @import { Profile } from './formats.js' */
/** @import { PageProfile } from '../page/page_data.js' */

const require = createRequire(import.meta.url);

/** The page's scripts in one, which `npm run build` makes. */
const PAGE_SCRIPT = new URL('../../dist/polyprof-report.js', import.meta.url);

/**
 * One file that opens from disk and needs nothing else: a summary page of our own, and the viewer of https://www.speedscope.app with the
 * same traces.
 * @param {Profile[]} profiles
 * @returns {string} HTML; throws an `Error` when polyprof is not built
 */
export function htmlReport(profiles) {
  return [...htmlReportPieces(profiles)].join('');
}

/**
 * The same, made while it is written.
 * @param {Profile[]} profiles
 * @returns {Iterable<string>}
 */
export function htmlReportPieces(profiles) {
  const style = readFileSync(new URL('../page/summary.css', import.meta.url), 'utf8');
  return piecesOf(profiles, speedscopePieces(profiles), style, viewerFiles(), readPageScript());
}

/**
 * @param {Profile[]} profiles
 * @param {Iterable<string>} flame JSON of speedscope's
 * @param {string} style
 * @param {{js: string, css: string}} viewer
 * @param {string} script
 * @returns {Generator<string>}
 */
function* piecesOf(profiles, flame, style, viewer, script) {
  const title = profiles.length === 1 ? profiles[0].name : `${profiles.length} traces`;
  yield `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeText(title)} – polyprof</title>
<style>${style}</style>
<header>
<h1>${escapeText(title)}</h1>
<nav aria-label="Parts">
<button type="button" id="show-summary" aria-pressed="true">Summary</button>
<button type="button" id="show-flame" aria-pressed="false">Flame graph</button>
</nav>
</header>
<main></main>
<div id="flame" hidden></div>
<script type="application/json" id="profiles">{"profiles":[`;
  for (const [i, profile] of profiles.entries()) {
    yield `${i > 0 ? ',' : ''}${inScript(JSON.stringify(pageProfile(profile)))}`;
  }
  yield `]}</script>
<script type="application/json" id="speedscope-profile">`;
  for (const piece of flame) yield inScript(piece);
  yield `</script>
<script type="text/plain" id="speedscope-css">${escapeEnd(viewer.css)}</script>
<script type="text/plain" id="speedscope-js">${escapeEnd(viewer.js)}</script>
<script>${escapeEnd(script)}</script>
</html>
`;
}

/** @param {Profile} profile @returns {PageProfile} */
function pageProfile(profile) {
  const { name, trace, details } = profile;
  const trie = new PathTrie();
  const nodeOfSample = trie.addSamples(trace);
  const isMerged = trace[MERGED] !== undefined;
  return {
    name,
    facts: factsOf(profile),
    functions: trie.locations.map((location) => ({ name: location.name, place: formatPlace(location) })),
    functionOfNode: trie.functions,
    parentOfNode: trie.parents,
    nodeOfSample,
    msOfSample: sampleWeights(trace, details?.sampleInterval).map((ms) => Math.round(ms * 1000) / 1000),
    countOfSample: isMerged ? sampleCounts(trace) : null,
    startMs: isMerged ? null : (trace.samples[0]?.timestamp ?? 0),
  };
}

/** @param {Profile} profile @returns {[string, string][]} */
function factsOf(profile) {
  const { trace, details = {} } = profile;
  const { url, engine, userAgent, mode, sampleInterval, losses } = details;
  const samples = sampleTotal(trace);
  const ms = sampleWeights(trace, sampleInterval).reduce((sum, weight) => sum + weight, 0);
  const interval = sampleInterval ?? usualInterval([profile]);
  /** @type {[string, string | undefined][]} */
  const facts = [
    ['Page', url],
    ['Engine', engine ?? userAgent],
    ['Mode', mode],
    ['Interval', interval > 0 ? `${Number(interval.toFixed(3))} ms` : undefined],
    ['Samples', formatCount(samples)],
    ['Time', `${(ms / 1000).toFixed(2)} s`],
    ['Idle', `${percent(idleSamples(trace), samples)} %`],
    ['Losses', losses ? describeLosses(losses).join(', ') : 'not known'],
  ];
  return facts.flatMap(([label, text]) => (text === undefined ? [] : [[label, text]]));
}

/** @param {ProfilerTrace} trace */
function idleSamples(trace) {
  const counts = sampleCounts(trace);
  return trace.samples.reduce((sum, { stackId }, i) => (stackId === undefined ? sum + counts[i] : sum), 0);
}

/** @returns {{js: string, css: string}} the viewer; its font goes into its style */
function viewerFiles() {
  const folder = dirname(require.resolve('speedscope/dist/release/index.html'));
  const names = readdirSync(folder);
  const find = (/** @type {RegExp} */ pattern) => {
    const name = names.find((each) => pattern.test(each));
    if (name === undefined) throw new Error(`the package speedscope has no ${pattern.source} in ${folder}`);
    return readFileSync(join(folder, name));
  };
  const font = find(/\.woff2$/).toString('base64');
  const css = find(/^speedscope-\w+\.css$/).toString('utf8');
  return {
    js: find(/^speedscope-\w+\.js$/).toString('utf8'),
    css: css.replace(/url\([^)]*\.woff2[^)]*\)/g, `url(data:font/woff2;base64,${font})`),
  };
}

function readPageScript() {
  try {
    return readFileSync(PAGE_SCRIPT, 'utf8');
  } catch (error) {
    const file = fileURLToPath(PAGE_SCRIPT);
    throw new Error(`${file} is missing: npm run build makes it`, { cause: error });
  }
}

/** @param {string} text */
function escapeText(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

/** JSON within a script element: nothing in it looks like a tag. @param {string} json */
function inScript(json) {
  return json.replaceAll('<', '\\u003c');
}

/** Code within a script element: what would end it can only be within a string or a regular expression. @param {string} code */
function escapeEnd(code) {
  return code.replace(/<(?=\/script|!--)/gi, '\\x3c');
}
