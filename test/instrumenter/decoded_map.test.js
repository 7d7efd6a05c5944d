import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodedMap } from '../../instrumenter/maps/decoded_map.js';
import { site } from './lib/command_line.js';

const MAP = { version: 3, sources: ['a.ts'], names: [], mappings: 'AAAA' };
const section = (/** @type {object} */ content) => ({ offset: { line: 0, column: 0 }, ...content });

test('what is no source map is told by what it is not', () => {
  /** @type {[unknown, RegExp][]} */
  const wrong = [
    ['null', /^a source map is an object, not null$/],
    [[], /^a source map is an object, not an array$/],
    ['5', /^a source map is an object, not a number$/],
    [{ version: 3, mappings: 'AAAA' }, /^a source map has "sources", an array, which this one has not$/],
    [{ version: 3, sources: 'a.ts', mappings: '' }, /^a source map has "sources", an array/],
    [{ ...MAP, sources: ['a.ts', 7] }, /^a source in a source map is a string, not a number$/],
    [{ ...MAP, sources: [['a.ts']] }, /^a source in a source map is a string, not an array$/],
    [{ ...MAP, sourceRoot: 7 }, /^"sourceRoot" of a source map is a string, not a number$/],
    [
      { version: 3, sections: [section({ map: { ...MAP, sourceRoot: {} } })] },
      /^"sourceRoot" of a source map is a string, not an object$/,
    ],
    [{ ...MAP, mappings: 5 }, /^a source map has "mappings", a string, which this one has not$/],
    [
      { version: 3, sections: [section({ url: 'b.map' })] },
      /^a section of the source map is in another file, b\.map: put its map into this one$/,
    ],
    [{ version: 3, sections: [null] }, /^a source map is an object, not undefined$/],
    [{ version: 3, sections: [section({ map: { sources: [] } })] }, /^a source map has "mappings"/],
    [{ version: 3, sections: 5 }, /^a source map has "sections", an array, which this one has not$/],
    ['{"version": 3', /JSON/],
  ];
  for (const [map, message] of wrong)
    assert.throws(() => decodedMap(/** @type {any} */ (map)), { message }, JSON.stringify(map));
});

test('a map is read behind a byte order mark, and behind a line that keeps scripts from including it', () => {
  const json = JSON.stringify(MAP);
  for (const start of ['', '\ufeff', ")]}'\n", ")]}' nothing\r\n", "\ufeff)]}'\n"])
    assert.deepEqual(decodedMap(start + json).mappings, [[[0, 0, 0, 0]]], JSON.stringify(start));
});

test('a map may have sources that it does not name, and no root for them', () => {
  const { sources, sourceRoot } = decodedMap({ ...MAP, sources: [null, 'a.ts'], sourceRoot: null });
  assert.deepEqual([sources, sourceRoot], [[null, 'a.ts'], null]);
});

test('a section may hold its map as text', () => {
  const map = { version: 3, sections: [section({ map: JSON.stringify(MAP) })] };
  assert.deepEqual(decodedMap(map).mappings, [[[0, 0, 0, 0]]]);
});

test('the command line tells which file is no source map, and reads all that are', (t) => {
  const { polyprof, read } = site(t, {
    'in/a.js': 'f(1)\n//# sourceMappingURL=a.js.map\n',
    'in/a.js.map': `)]}'\n${JSON.stringify(MAP)}`,
    'in/b.js': 'f(1)\n//# sourceMappingURL=b.js.map\n',
    'in/b.js.map': '[]',
  });
  const { status, stderr } = polyprof('instrument', 'in', '-o', 'out', '--min-weight', '0');
  assert.equal(status, 0);
  assert.equal(
    stderr,
    'note: in/b.js: source map in/b.js.map cannot be read: a source map is an object, not an array\n',
  );
  assert.deepEqual(JSON.parse(read('out/a.js.map')).sources, ['a.ts']);
});
