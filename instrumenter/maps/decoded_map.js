import { decodedMap as decode, FlattenMap } from '@jridgewell/trace-mapping';

/** A byte order mark, and a line that keeps scripts from including the map: https://tc39.es/ecma426/ */
const BEFORE_JSON = /^\ufeff?(?:\)\]\}'.*)?/;

/**
 * @param {string | object} map source map, or its JSON; some bundlers write maps of sections
 * @returns {import('@jridgewell/trace-mapping').DecodedSourceMap} the same without sections, and decoded: who reads it next need not
 * @throws {TypeError | SyntaxError} if it is none
 */
export function decodedMap(map) {
  const parsed = typeof map === 'string' ? parseMap(map) : map;
  checkMap(parsed);
  return /** @type {any} */ (decode(new FlattenMap(/** @type {any} */ (parsed))));
}

/** @param {string} json @returns {any} */
export function parseMap(json) {
  return JSON.parse(json.replace(BEFORE_JSON, ''));
}

/** @param {any} map @throws {TypeError} that says what it is not */
function checkMap(map) {
  if (typeof map !== 'object' || map === null || Array.isArray(map))
    throw new TypeError(`a source map is an object, not ${kindOf(map)}`);
  const { sections, sources, sourceRoot, mappings } = map;
  if (sections !== undefined) return checkSections(sections);
  if (!Array.isArray(sources)) throw missing('sources', 'an array');
  if (!isText(sourceRoot)) throw noText('"sourceRoot" of a source map', sourceRoot);
  for (const source of sources) if (!isText(source)) throw noText('a source in a source map', source);
  if (typeof mappings !== 'string' && !Array.isArray(mappings)) throw missing('mappings', 'a string');
}

/** @param {any} sections */
function checkSections(sections) {
  if (!Array.isArray(sections)) throw missing('sections', 'an array');
  for (const section of sections) {
    if (section?.url !== undefined) {
      throw new TypeError(
        `a section of the source map is in another file, ${section.url}: put its map into this one`,
      );
    }
    const map = section?.map;
    checkMap(typeof map === 'string' ? parseMap(map) : map);
  }
}

/** @param {string} name @param {string} kind */
function missing(name, kind) {
  return new TypeError(`a source map has "${name}", ${kind}, which this one has not`);
}

/** @param {unknown} value of a map @returns {boolean} is it a text, or may it be left out? */
function isText(value) {
  return typeof value === 'string' || value === null || value === undefined;
}

/** @param {string} name @param {unknown} value */
function noText(name, value) {
  return new TypeError(`${name} is a string, not ${kindOf(value)}`);
}

/** @param {unknown} value */
function kindOf(value) {
  if (Array.isArray(value)) return 'an array';
  if (value === null || value === undefined) return String(value);
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
