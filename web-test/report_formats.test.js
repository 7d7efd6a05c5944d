import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import fc from 'fast-check';
import { cpuprofile } from '../report/formats/cpuprofile.js';
import { folded } from '../report/formats/folded.js';
import { ANONYMOUS } from '../report/traces/location.js';
import { pprof } from '../report/formats/pprof.js';
import { speedscope } from '../report/formats/speedscope.js';
import { timedTraceArbitrary } from '../test/report/arbitraries.js';
import {
  functionText,
  milliseconds,
  sampleCounts,
  StackSums,
  stackTimes,
} from '../test/report/stack_times.js';
import { eachEngine } from './lib/each_engine.js';
import { importBySpeedscope } from './lib/speedscope_import.js';

/** @import { ProfilerTrace } from '../report/reading/check_trace.js' */
/** @import { Location } from '../report/traces/location.js' */
/** @import { Profile } from '../report/formats/formats.js' */

const release = dirname(createRequire(import.meta.url).resolve('speedscope/dist/release/index.html'));

/** With this fragment speedscope takes files from a script. */
const PATH = '/speedscope/index.html#localProfilePath=none';

/** Each format, and what it has no room for. */
const CASES = /** @type {const} */ ([
  { extension: '.speedscope.json', convert: speedscope, keep: ['file', 'line', 'column'] },
  {
    extension: '.cpuprofile',
    convert: (/** @type {Profile[]} */ [profile]) => cpuprofile(profile),
    keep: ['file', 'line', 'column'],
  },
  { extension: '.pb.gz', convert: pprof, keep: ['file', 'line'] },
  { extension: '.folded', convert: folded, keep: [] },
]);

const MS = { microseconds: 1e-3, nanoseconds: 1e-6, milliseconds: 1, none: 1 };

/** Speedscope refuses files of nothing. */
const someTraceArbitrary = timedTraceArbitrary.filter(
  ({ samples }) =>
    samples.filter(
      ({ stackId }, i) => stackId !== undefined && samples[i + 1]?.timestamp > samples[i].timestamp,
    ).length > 0,
);

/** Samples of a profile, or what its events open and close. @param {any} file of speedscope @param {(location: Partial<Location>) => string} text */
function readBack({ profiles: [profile], shared: { frames } }, text) {
  const names = frames.map((/** @type {any} */ { name, file, line, col }) =>
    text({
      // How it calls functions without a name in .cpuprofile files.
      name: name.replace(/^\(anonymous [^/]*\)$/, ANONYMOUS),
      file: file || undefined,
      line: line > 0 ? line : undefined,
      column: col > 0 ? col : undefined,
    }),
  );
  const unit = MS[/** @type {keyof typeof MS} */ (profile.unit)];
  const sums = new StackSums();
  const path = (/** @type {number[]} */ stack) => stack.map((id) => names[id]);
  if (profile.type === 'sampled') {
    profile.samples.forEach((/** @type {number[]} */ stack, /** @type {number} */ i) =>
      sums.add(path(stack), profile.weights[i] * unit, profile.weights[i]),
    );
    return sums.sums;
  }
  /** @type {number[]} */
  const stack = [];
  let last = profile.startValue;
  for (const { type, frame, at } of profile.events) {
    if (at > last) sums.add(path(stack), (at - last) * unit, at - last);
    last = at;
    if (type === 'O') stack.push(frame);
    else assert.equal(stack.pop(), frame);
  }
  return sums.sums;
}

for (const { extension, convert, keep } of CASES) {
  eachEngine(
    `for any trace: speedscope reads the same stacks and times from *${extension}`,
    { only: ['chromium'], path: PATH, serve: { folders: { '/speedscope/': release } } },
    async ({ page }) => {
      let count = 0;
      const text = (/** @type {Partial<Location>} */ location) => {
        if (keep.length > 0) {
          const known = Object.fromEntries(
            ['name', ...keep].map((key) => [key, location[/** @type {'name'} */ (key)]]),
          );
          return functionText(known);
        }
        const { name, file, line, column } = location;
        return name || !file ? name || ANONYMOUS : `${ANONYMOUS} ${file}:${line}:${column}`;
      };
      const check = async (/** @type {ProfilerTrace} */ trace) => {
        const name = `trace ${count++}!`;
        const content = Buffer.from(convert([{ name, trace }])).toString('base64');
        const actual = readBack(await page.evaluate(importBySpeedscope, name, extension, content), text);
        const expected = stackTimes(trace, text);
        // Gaps are time without a stack; collapsed stacks have neither gaps nor times.
        delete actual[''];
        delete expected[''];
        if (extension === '.folded') assert.deepEqual(sampleCounts(actual), sampleCounts(expected));
        else assert.deepEqual(milliseconds(actual), milliseconds(expected));
      };
      await fc.assert(fc.asyncProperty(someTraceArbitrary, check), {
        numRuns: 60,
        includeErrorInReport: true,
      });
    },
  );
}
