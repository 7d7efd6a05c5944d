import assert from 'node:assert/strict';
import fs, { writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { readAllProfiles } from '../../report/reading/read_trace.js';
import { temporaryFolder } from '../../web-test/lib/children.js';
import { traceOf } from './traces.js';

const { path: folder, release } = temporaryFolder();
after(release);

/** @param {string} name @param {string | Uint8Array} content */
function written(name, content) {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}

/** @param {string | string[]} files @param {number} [maxBytes] */
async function read(files, maxBytes) {
  const names = [];
  /** @type {string[]} */
  const errors = [];
  const onError = (/** @type {Error} */ { message }) => errors.push(message.replaceAll(`${folder}/`, ''));
  for await (const { name, trace } of readAllProfiles([files].flat(), { maxBytes, onError })) {
    names.push(`${name}: ${trace.frames.map((frame) => frame.name)}`);
  }
  return { names, errors };
}

const [a, b] = ['a', 'b'].map((name) => JSON.stringify(traceOf([name])));
const lines = `${a}\n\n{"resources": [\r\n{"resources": 7}\n${b}`;

test('lines are read one by one; bad ones are told with their number, and the others read', async () => {
  const expected = {
    names: ['x line 1: a', 'x line 5: b'],
    errors: [
      'line 3 is not JSON (Unexpected end of JSON input)',
      'line 4: resources must be an array, not 7',
    ],
  };
  for (const [name, content] of /** @type {const} */ ([
    ['x.ndjson', lines],
    ['x.jsonl', lines],
    ['x.ndjson.gz', gzipSync(lines)],
  ])) {
    const { names, errors } = await read(written(name, content));
    assert.deepEqual({ names, errors: errors.map((error) => error.replace(`${name}: `, '')) }, expected);
  }
});

test('a folder that may not be read is told, and the other files are read', async (t) => {
  const file = written('beside.json', a);
  const { mock } = t.mock.method(fs, 'readdirSync', () => {
    throw new Error('EACCES: permission denied, scandir');
  });
  syncBuiltinESMExports();
  t.after(() => {
    mock.restore();
    syncBuiltinESMExports();
  });
  const { names, errors } = await read([folder, file]);
  assert.deepEqual(names, ['beside: a']);
  assert.deepEqual(errors, [`${folder}: cannot be read (EACCES: permission denied, scandir)`]);
});

test('a file with lines is read line by line, whatever it is called', async () => {
  const good = { names: ['x line 2: a', 'x line 4: b'] };
  for (const [content, error] of [
    [`{"trace":null}\n${a}\n\n${b}`, 'line 1: resources must be an array, not missing'],
    [`{"resources": [\n${a}\n\n${b}`, "line 1 is not JSON (Expected ',' or ']' after array element in JSON"],
    [`\n${a}\r\n\r\n${b}\r\n{}`, 'line 5: resources must be an array, not missing'],
  ]) {
    for (const name of ['x.json', 'x.ndjson']) {
      const { names, errors } = await read(written(name, content));
      assert.deepEqual(names, good.names, content);
      assert.equal(errors.length, 1, content);
      assert.match(errors[0], /^x\.\w+: line \d/);
      if (!error.includes('JSON')) assert.equal(errors[0].replace(/^\S+ /, ''), error);
    }
  }
});

test('JSON of several lines is one trace', async () => {
  const parts = `{"resources":[],"frames":[\n{"name":"a"}\n],"stacks":[\n{"frameId":0}\n],"samples":[\n{"timestamp":0,"stackId":0}\n]}`;
  assert.deepEqual(await read(written('parts.json', parts)), { names: ['parts: a'], errors: [] });
});

test('a file without a trace is told, unless it has just begun to be written', async () => {
  for (const [name, content, problem] of [
    ['nothing.json', '', 'is empty'],
    ['nothing.ndjson', '', 'is empty'],
    ['nothing.ndjson.gz', gzipSync('\n'), 'is empty'],
    ['blank.json', ' \r\n', 'is empty'],
    ['header.json', '{"event_id":"0"}\n{"type":"session"}\n{}', 'has no trace in it'],
  ]) {
    assert.deepEqual(await read(written(String(name), content)), {
      names: [],
      errors: [`${name}: ${problem}`],
    });
  }
  assert.deepEqual(await read(written('new.ndjson.gz.part', '')), { names: [], errors: [] });
});

test('a byte order mark is passed over, and UTF-16 is called by its name', async () => {
  for (const name of ['mark.json', 'mark.ndjson']) {
    assert.deepEqual(await read(written(name, `\ufeff${a}`)), {
      names: [name === 'mark.json' ? 'mark: a' : 'mark line 1: a'],
      errors: [],
    });
    for (const content of [Buffer.from(`\ufeff${a}\n${b}`, 'utf16le'), Buffer.from(a, 'utf16le')]) {
      assert.deepEqual(await read(written(name, content)), {
        names: [],
        errors: [`${name}: is UTF-16: save it as UTF-8`],
      });
    }
  }
});

test('lines together may be longer than the limit, but not one line', async () => {
  const many = Array(50).fill(a).join('\n');
  assert.equal((await read(written('many.ndjson', many), a.length + 1)).names.length, 50);
  const bomb = await read(written('bomb.ndjson.gz', gzipSync(Buffer.alloc(3e6, 32))), 2e6);
  assert.deepEqual(bomb, {
    names: [],
    errors: ['bomb.ndjson.gz: has a line of more than 1.91 MB; --max-size raises that limit'],
  });
});

test('lines of a gzip that was cut off are read as far as they are whole', async () => {
  const packed = gzipSync(
    Array.from({ length: 2000 }, (_, i) => a.replace('100', String(100 + i))).join('\n'),
  );
  const { names, errors } = await read(written('cut.ndjson.gz', packed.subarray(0, -2000)));
  assert.ok(names.length > 100 && names.length < 2000, String(names.length));
  assert.deepEqual(errors, ['cut.ndjson.gz: is damaged gzip (unexpected end of file)']);
});

test('a file of lines that is not there is told', async () => {
  assert.deepEqual((await read(join(folder, 'none.ndjson'))).errors, ['none.ndjson: does not exist']);
});

test('a bad item of an envelope is told with its place, and the others are read', async () => {
  const item = (/** @type {unknown} */ profile) => `{"type":"profile"}\n${JSON.stringify(profile)}`;
  const stacks = { stacks: [[0]], samples: [{ stack_id: 0, elapsed_since_start_ns: '0' }] };
  const good = { platform: 'javascript', profile: { frames: [{ function: 'f' }], ...stacks } };
  const bad = { platform: 'javascript', profile: { frames: [], ...stacks } };
  const { names, errors } = await read(
    written('envelope.json', ['{}', item(good), item(bad), item(good)].join('\n')),
  );
  assert.deepEqual(names, ['envelope line 3: f', 'envelope line 7: f']);
  assert.deepEqual(errors, ['envelope.json: line 5: stacks[0].frameId is 0, but there are 0 frames']);
});
