import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { timedTraceArbitrary } from './arbitraries.js';
import { sentryProfile } from './sentry_profile.js';

/**
 * Files that may hold traces, more or less: what senders make of a trace, with some values replaced, doubled, moved or removed, as one or
 * more lines, packed or not, with some bytes changed, and cut off.
 */

/** Values that stand at the limits of something. */
const ODD_VALUES = [
  ...[
    null,
    true,
    '',
    'x',
    [],
    {},
    [[]],
    [null],
    '__proto__',
    'constructor',
    '../../etc/passwd',
    '\ud800',
    '\0\n',
  ],
  ...[0, -1, 0.5, -0, 1, 2, 3, 7, 39, 40, 41, 2 ** 31, 2 ** 32, 2 ** 53, 1e308, -1e308, 5e-324],
  ...['toString', 'https://a.example/%zz', '<script>', 'a;b', 'idle', '(idle)', 'x'.repeat(5000)],
];

/**
 * @typedef {{at: number, how: 'replace' | 'remove' | 'double' | 'move', value: unknown}} Change
 */

/** @type {fc.Arbitrary<Change>} */
const change = fc.record({
  at: fc.nat(2 ** 20),
  how: fc.constantFrom('replace', 'replace', 'replace', 'remove', 'double', 'move'),
  value: fc.oneof(
    fc.constantFrom(...ODD_VALUES),
    fc.jsonValue({ maxDepth: 2 }),
    fc.integer({ min: -2, max: 50 }),
  ),
});

/** All places in a value: in what, under which key. @param {any} value @param {[any, any][]} places */
function placesIn(value, places = []) {
  if (typeof value !== 'object' || value === null) return places;
  for (const key of Object.keys(value)) {
    places.push([value, Array.isArray(value) ? Number(key) : key]);
    placesIn(value[key], places);
  }
  return places;
}

/** @param {any} value JSON @param {Change[]} changes @returns {any} another one */
function changed(value, changes) {
  const holder = structuredClone({ value });
  for (const { at, how, value: odd } of changes) {
    const places = placesIn(holder);
    if (places.length === 0) break;
    const [parent, key] = places[at % places.length];
    const [other, otherKey] = places[(at * 31 + 7) % places.length];
    if (how === 'replace') parent[key] = structuredClone(odd);
    else if (how === 'move') parent[key] = structuredClone(other[otherKey]);
    else if (how === 'double' && Array.isArray(parent)) parent.splice(Number(key), 0, parent[key]);
    else if (Array.isArray(parent)) parent.splice(Number(key), 1);
    else delete parent[key];
  }
  return holder.value;
}

/** What senders make of a trace. @type {((trace: any) => any)[]} */
const SENDERS = [
  (trace) => trace,
  (trace) => ({
    id: '1',
    session: 's',
    mode: 'flag',
    losses: { lostTicks: 1 },
    tags: { release: '1' },
    trace,
  }),
  (trace) => ({ ...trace, timeOrigin: 5, sampleInterval: 10, views: [] }),
  (trace) => ({ event: {}, 'wall-time.json': trace }),
  (trace) => (trace.samples.length > 0 ? sentryProfile(trace) : trace),
];

const sent = fc
  .tuple(timedTraceArbitrary, fc.constantFrom(...SENDERS), fc.array(change, { maxLength: 4 }))
  .map(([trace, send, changes]) => JSON.stringify(changed(send(trace), changes)) ?? '');

/** @type {((lines: string[]) => string)[]} */
const FORMS = [
  (lines) => lines[0] ?? '',
  (lines) => lines.join('\n'),
  (lines) => `${lines.join('\r\n\n')}\n`,
  (lines) => ['{"event_id":"0"}', ...lines.flatMap((line) => ['{"type":"profile"}', line])].join('\n'),
  (lines) =>
    ['{}', ...lines.flatMap((line, i) => [`{"type":"profile","length":${line.length - 99 * i}}`, line])].join(
      '\n',
    ),
  (lines) =>
    `--b\r\nContent-Disposition: form-data; filename="wall-time.json"\r\n\r\n${lines.join('')}\r\n--b--\r\n`,
];

const bytes = fc
  .tuple(fc.array(sent, { maxLength: 4 }), fc.constantFrom(...FORMS), fc.nat(2))
  .map(([lines, form, members]) => {
    if (members === 0) return Buffer.from(form(lines));
    const half = Math.floor(lines.length / 2);
    const parts = members === 1 ? [lines] : [lines.slice(0, half), lines.slice(half)];
    return Buffer.concat(parts.map((part) => gzipSync(form(part), { level: 1 })));
  });

/** @type {fc.Arbitrary<{name: string, content: Buffer}>} */
export const damagedContent = fc
  .record({
    name: fc.constantFrom('x.json', 'x.json.gz', 'x.ndjson', 'x.ndjson.gz', 'x.ndjson.gz.part', 'x'),
    content: bytes,
    flips: fc.oneof(
      { weight: 3, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: fc.array(fc.tuple(fc.nat(2 ** 20), fc.nat(255)), { maxLength: 3 }) },
    ),
    cut: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(2 ** 20) }),
  })
  .map(({ name, content, flips, cut }) => {
    const damaged = Buffer.from(content);
    for (const [at, byte] of flips) if (damaged.length > 0) damaged[at % damaged.length] = byte;
    return { name, content: cut === 0 ? damaged : damaged.subarray(0, cut % (damaged.length + 1)) };
  });
