import { callTreeJson, callTreeJsonPieces } from './call_tree_json.js';
import { cpuprofile, cpuprofilePieces } from './cpuprofile.js';
import { firefoxProfile } from './firefox_profile.js';
import { folded, foldedPieces } from './folded.js';
import { htmlReport, htmlReportPieces } from './html_report.js';
import { pprof } from './pprof.js';
import { speedscope, speedscopePieces } from './speedscope.js';

/** @import { ProfilerTrace } from '../reading/check_trace.js' */
/** @import { Details } from '../reading/details.js' */

/**
 * @typedef {{name: string, trace: ProfilerTrace, details?: Details}} Profile a checked trace, what to call it, and what is known beside
 *
 * @typedef {object} Format a kind of file that traces are converted to
 * @property {string} name for `--format`
 * @property {string[]} extensions of the file, by which it is chosen; the first one is used where we name it
 * @property {string} description for the help text
 * @property {boolean} [holdsOne] one profile per file, not several
 * @property {(profiles: Profile[]) => string | Uint8Array} convert several profiles into the content of one file
 * @property {(profiles: Profile[]) => Iterable<string>} [pieces] the same, for what is too large to be in memory as a whole
 */

/** @type {readonly Format[]} */
export const FORMATS = Object.freeze([
  {
    name: 'speedscope',
    extensions: ['.speedscope.json'],
    description: 'https://www.speedscope.app',
    convert: speedscope,
    pieces: speedscopePieces,
  },
  {
    name: 'cpuprofile',
    extensions: ['.cpuprofile'],
    description: 'Chrome DevTools, VS Code',
    holdsOne: true,
    convert: ([profile]) => cpuprofile(profile),
    pieces: ([profile]) => cpuprofilePieces(profile),
  },
  {
    name: 'firefox',
    extensions: ['.firefox.json'],
    description: 'https://profiler.firefox.com',
    convert: firefoxProfile,
  },
  {
    name: 'pprof',
    extensions: ['.pb.gz', '.pprof'],
    description: 'go tool pprof and its kin',
    convert: pprof,
  },
  {
    name: 'folded',
    extensions: ['.folded', '.collapsed', '.collapsed.txt'],
    description: 'collapsed stacks, for flamegraph.pl and its kin',
    convert: folded,
    pieces: foldedPieces,
  },
  {
    name: 'tree',
    extensions: ['.tree.json'],
    description: 'a tree of calls with sample counts, in JSON',
    convert: callTreeJson,
    pieces: callTreeJsonPieces,
  },
  {
    name: 'html',
    extensions: ['.html'],
    description: 'summary and flame graph in one file that opens from disk',
    convert: htmlReport,
    pieces: htmlReportPieces,
  },
]);

/** @param {string} file @returns {Format | undefined} by the file's extension, with or without `.gz` after it */
export function formatOf(file) {
  const names = [file, file.replace(/\.gz$/, '')];
  return FORMATS.find(({ extensions }) =>
    extensions.some((each) => names.some((name) => name.endsWith(each))),
  );
}
