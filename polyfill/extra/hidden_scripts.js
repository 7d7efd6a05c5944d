import { ownOrigin } from '../loading/own_origin.js';
import { clock } from '../../wasm/clock.js';

/**
 * The filter of the specification: a page must not learn from traces what runs in scripts of other origins that don't share themselves with it.
 */

/** Name of a frame that stands for a run of hidden ones (runtime/stack_mapper.h). */
const UNKNOWN = 'unknown';

/**
 * Is the script of another origin, and was it loaded without CORS? The script element tells. Where there is none any more, or never was one, as
 * of what a module imports, the server of the script's function table has told: the page could read that by CORS, or it could not.
 * @param {string} address as stacks have it, in JSC without its query
 * @param {boolean} hasTable whether the script's function table could be fetched
 */
export function isHidden(address, hasTable) {
  const url = new URL(address, 'unknown:');
  const isOpaque = (/** @type {any} */ { requestStart, encodedBodySize }) =>
    !requestStart && !encodedBodySize;
  const isOwn = url.origin === 'null' ? url.protocol === location.protocol : url.origin === ownOrigin();
  // Redirected to another origin: what is timed is hidden, too.
  if (isOwn && !clock.getEntriesByName(address, 'resource').some(isOpaque)) return false;
  if (url.protocol === 'data:') return false;
  const path = withoutQuery(address);
  const { document } = /** @type {any} */ (globalThis);
  const elements = [...(document?.scripts ?? [])].filter(({ src }) => withoutQuery(src) === path);
  if (elements.length === 0) return !hasTable;
  return elements.some(({ crossOrigin, type }) => crossOrigin === null && type !== 'module');
}

/** @param {string} address */
function withoutQuery(address) {
  return address.replace(/[?#].*/s, '');
}

/**
 * @param {Uint8Array} json a ProfilerTrace
 * @param {Set<string>} hidden addresses of scripts
 * @param {boolean} marks a frame `unknown` stands in the place of each run of hidden ones; false: nothing does
 * @returns {Uint8Array} the same without the frames of these scripts
 */
export function withoutHidden(json, hidden, marks) {
  const { resources, frames, stacks, samples } = JSON.parse(new TextDecoder().decode(json));
  const shown = new Trace();
  /** By stack of the old trace. @type {(number | undefined)[]} */
  const ids = [];
  for (const { frameId, parentId } of stacks) {
    const frame = frames[frameId];
    const parent = parentId === undefined ? undefined : ids[parentId];
    if (!hidden.has(resources[frame.resourceId])) ids.push(shown.stack(parent, frame, resources));
    else ids.push(marks ? shown.stack(parent, { name: UNKNOWN }, resources) : parent);
  }
  for (const { stackId, ...sample } of samples) {
    const id = stackId === undefined ? undefined : ids[stackId];
    shown.samples.push(id === undefined ? sample : { ...sample, stackId: id });
  }
  return new TextEncoder().encode(JSON.stringify(shown));
}

/** A ProfilerTrace whose stacks, frames and resources get their numbers as they come. */
class Trace {
  /** @type {string[]} */
  resources = [];
  /** @type {any[]} */
  frames = [];
  /** @type {{frameId: number, parentId?: number}[]} */
  stacks = [];
  /** @type {object[]} */
  samples = [];
  /** @type {Map<any[], Map<string, number>>} */
  #ids = new Map([this.resources, this.frames, this.stacks].map((rows) => [rows, new Map()]));

  /** @param {number | undefined} parentId @param {any} frame @param {string[]} resources of the frame's trace @returns {number} the stack */
  stack(parentId, { resourceId, ...frame }, resources) {
    const parent = parentId === undefined ? undefined : this.stacks[parentId];
    const isUnknown = frame.name === UNKNOWN && resourceId === undefined;
    const own = resourceId === undefined ? undefined : this.#number(this.resources, resources[resourceId]);
    const frameId = this.#number(this.frames, { name: frame.name, resourceId: own, ...frame });
    if (isUnknown && parent?.frameId === frameId) return /** @type {number} */ (parentId);
    return this.#number(this.stacks, { frameId, parentId });
  }

  /** @param {any[]} rows @param {any} row @returns {number} where it stands, put there if it is new */
  #number(rows, row) {
    const ids = /** @type {Map<string, number>} */ (this.#ids.get(rows));
    const key = JSON.stringify(row);
    const id = ids.get(key) ?? rows.push(row) - 1;
    ids.set(key, id);
    return id;
  }
}
