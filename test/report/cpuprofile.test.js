import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import Ajv from 'ajv';
import fc from 'fast-check';
import { cpuprofile } from '../../report/formats/cpuprofile.js';
import { timedTraceArbitrary } from './arbitraries.js';
import { functionText, milliseconds, sampleCounts, StackSums, stackTimes } from './stack_times.js';
import { traceOf } from './traces.js';

/** @import { ProfilerTrace } from '../../report/reading/check_trace.js' */
/** @import { Protocol } from 'devtools-protocol' */

const require = createRequire(import.meta.url);

/** The DevTools protocol's own definition of a profile. */
const isProfile = new Ajv().compile({
  ...schemaOf(JSON.parse(readFileSync(require.resolve('devtools-protocol/json/js_protocol.json'), 'utf8'))),
  $ref: '#/definitions/Profiler.Profile',
});

/** Makes the protocol's types into a JSON schema. @param {any} protocol */
function schemaOf({ domains }) {
  /** @type {Record<string, object>} */
  const definitions = {};
  for (const { domain, types = [] } of domains) {
    for (const { id, ...type } of types) definitions[`${domain}.${id}`] = schemaOfType(type, domain);
  }
  return { definitions };
}

/** @param {any} type @param {string} domain @returns {object} */
function schemaOfType({ type, $ref, properties, items }, domain) {
  if ($ref) return { $ref: `#/definitions/${$ref.includes('.') ? $ref : `${domain}.${$ref}`}` };
  if (type === 'any') return {};
  return {
    type,
    ...(items && { items: schemaOfType(items, domain) }),
    ...(properties && {
      properties: Object.fromEntries(
        properties.map((/** @type {any} */ p) => [p.name, schemaOfType(p, domain)]),
      ),
      required: properties
        .filter((/** @type {any} */ p) => !p.optional)
        .map((/** @type {any} */ p) => p.name),
    }),
  };
}

/** @param {ProfilerTrace} trace @returns {Protocol.Profiler.Profile & {samples: number[], timeDeltas: number[]}} */
const convert = (trace) => JSON.parse(cpuprofile({ name: 'test', trace }));

/**
 * As V8's own documentation says: a sample is a node, a delta is the time since the sample before.
 * @param {ReturnType<typeof convert>} profile
 */
function readBack({ nodes, samples, timeDeltas, startTime, endTime }) {
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const sums = new StackSums();
  let time = startTime;
  samples.slice(0, -1).forEach((sample, i) => {
    time += timeDeltas[i];
    const path = [];
    for (let id = /** @type {number | undefined} */ (sample); id !== undefined; id = parents.get(id)) {
      const { functionName, url, lineNumber, columnNumber } = /** @type {any} */ (byId.get(id)).callFrame;
      if (['(root)', '(idle)'].includes(functionName)) continue;
      const position = (/** @type {number} */ value) => (value < 0 ? undefined : value + 1);
      path.unshift(
        functionText({
          name: functionName,
          file: url,
          line: position(lineNumber),
          column: position(columnNumber),
        }),
      );
    }
    sums.add(path, timeDeltas[i + 1] / 1000);
  });
  assert.equal(time + (timeDeltas.at(-1) ?? 0), endTime);
  return sums.sums;
}

test('a sample lasts until the next one, and the last one until the end', () => {
  const { samples, timeDeltas, startTime, endTime, nodes } = convert(traceOf(['main;a', 'main', 'main;a']));
  const names = samples.map((id) => nodes.find((node) => node.id === id)?.callFrame.functionName);
  assert.deepEqual(names, ['a', 'main', 'a', '(root)']);
  assert.deepEqual(timeDeltas, [0, 10_000, 10_000, 10_000]);
  assert.deepEqual([startTime, endTime], [100_000, 130_000]);
});

test('idle samples are (idle)', () => {
  const { nodes } = convert(traceOf(['main', '', '']));
  const hits = nodes.map(({ callFrame, hitCount }) => [callFrame.functionName, hitCount]);
  assert.deepEqual(hits, [
    ['(root)', 0],
    ['(idle)', 2],
    ['main', 1],
  ]);
});

test('places are 0-based, -1 where there is none, and each file is a script', () => {
  const { nodes } = convert(traceOf(['builtin;f@a.js:3:9;g@b.js:1:1']));
  assert.deepEqual(
    nodes
      .slice(2)
      .map(({ callFrame: { scriptId, url, lineNumber, columnNumber } }) => [
        scriptId,
        url,
        lineNumber,
        columnNumber,
      ]),
    [
      ['0', '', -1, -1],
      ['1', 'a.js', 2, 8],
      ['2', 'b.js', 0, 0],
    ],
  );
});

test('a trace of nothing is a profile of nothing', () => {
  const { samples, timeDeltas } = convert(traceOf([]));
  assert.deepEqual([samples, timeDeltas], [[], []]);
});

test('a stack of fifty thousand calls is converted', () => {
  assert.equal(convert(traceOf([Array(50_000).fill('f').join(';')])).nodes.length, 50_002);
});

test('for any trace: it is as the protocol demands, and has the same stacks with the same times', () => {
  fc.assert(
    fc.property(timedTraceArbitrary, (trace) => {
      const profile = convert(trace);
      assert.ok(isProfile(profile), JSON.stringify(isProfile.errors));
      const expected = stackTimes(trace);
      const actual = readBack(profile);
      assert.deepEqual(milliseconds(actual), milliseconds(expected));
      assert.deepEqual(sampleCounts(actual), sampleCounts(expected));
      const hits = profile.nodes.reduce((sum, { hitCount = 0 }) => sum + hitCount, 0);
      assert.equal(hits, trace.samples.length);
    }),
  );
});
