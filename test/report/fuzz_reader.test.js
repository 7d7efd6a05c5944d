import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { traceLines } from '../../collect/trace_lines.js';
import { callTree } from '../../report/traces/call_tree.js';
import { ShareComparison } from '../../report/diff/compare_shares.js';
import { FORMATS } from '../../report/formats/formats.js';
import { MergedTrace } from '../../report/traces/merged_trace.js';
import { readAllProfiles } from '../../report/reading/read_trace.js';
import { sampleTotal } from '../../report/traces/sample_counts.js';
import { sampleWeights } from '../../report/traces/sample_weights.js';
import { symbolicate } from '../../report/symbols/symbolicate.js';
import { formatTable } from '../../report/terminal/table.js';
import { TraceError } from '../../report/reading/trace_error.js';
import { temporaryFolder } from '../../web-test/lib/children.js';
import { damagedContent } from './damaged_content.js';

/** @import { Profile } from '../../report/formats/formats.js' */

/** `POLYPROF_FUZZ_SECONDS=600 POLYPROF_SEED=1 node --test test/report/fuzz_reader.test.js` for a night; by default a moment. */
const seconds = Number(process.env.POLYPROF_FUZZ_SECONDS ?? 0);
const seed = process.env.POLYPROF_SEED === undefined ? undefined : Number(process.env.POLYPROF_SEED);
const RUNS = 1000;

/** Megabytes each time: seldom. */
const slow = FORMATS.filter(({ name }) => name === 'html');
const quick = FORMATS.filter((format) => !slow.includes(format));

const { path: folder, release } = temporaryFolder();
after(release);

/** What all of the report does with a trace that was read must work. @param {Profile[]} profiles @param {boolean} isRare */
function useAll(profiles, isRare) {
  const merge = new MergedTrace();
  const comparison = new ShareComparison();
  for (const profile of profiles) {
    const { trace } = profile;
    assert.ok(sampleWeights(trace).every((ms) => ms >= 0 && Number.isFinite(ms)));
    formatTable(callTree(trace), { width: 80, color: false, rows: 5, losses: profile.details?.losses });
    symbolicate(trace, () => null);
    merge.add(profile);
    comparison.addBase(profile);
    comparison.addNext(profile);
  }
  comparison.result(0.95);
  const merged = merge.profile('all');
  assert.equal(
    sampleTotal(merged.trace),
    profiles.reduce((sum, { trace }) => sum + trace.samples.length, 0),
  );
  for (const each of [profiles, [merged]]) {
    for (const { holdsOne, convert } of isRare ? [...quick, ...slow] : quick) {
      if (each.length > 0) assert.ok(convert(holdsOne ? each.slice(0, 1) : each).length >= 0);
    }
  }
}

test(
  'whatever is in a file: what is read of it can be used, and the rest is told with its place',
  { timeout: (seconds + 300) * 1000 },
  async () => {
    let runs = 0;
    let read = 0;
    let told = 0;
    await fc.assert(
      fc.asyncProperty(damagedContent, async ({ name, content }) => {
        runs++;
        const file = join(folder, name);
        writeFileSync(file, content);
        const profiles = [];
        const onError = (/** @type {unknown} */ error) => {
          assert.ok(error instanceof TraceError);
          assert.ok(error.message.startsWith(`${file}: `), error.message);
          told++;
        };
        for await (const profile of readAllProfiles([file], { maxBytes: 100_000, onError })) {
          profiles.push(profile);
        }
        read += profiles.length;
        useAll(profiles, runs % 500 === 0);
        try {
          for (const { text } of traceLines(content, new Date(0))) assert.ok(!text.includes('\n'));
        } catch (error) {
          if (!(error instanceof TraceError)) throw error;
        }
      }),
      {
        ...(seed !== undefined && { seed }),
        ...(seconds > 0
          ? { numRuns: 2 ** 31 - 1, interruptAfterTimeLimit: seconds * 1000, markInterruptAsFailure: false }
          : { numRuns: RUNS }),
      },
    );
    if (seconds > 0) console.log(`${runs} files: ${read} traces read, ${told} problems told`);
    assert.ok(read > runs / 10 && told > runs / 10, `${runs} files, ${read} traces, ${told} problems`);
  },
);
