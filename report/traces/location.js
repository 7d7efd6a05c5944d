/** @import { ProfilerTrace } from '../reading/check_trace.js' */

/**
 * What a frame says in words: all that a report shows of it.
 *
 * @typedef {object} Location
 * @property {string} name `(anonymous)` for a function without one
 * @property {string} file address or path; empty: built into the browser
 * @property {number | undefined} line 1-based, of the definition
 * @property {number | undefined} column 1-based, of the definition
 */

export const ANONYMOUS = '(anonymous)';

/** @param {ProfilerTrace} trace @param {number} frameId @returns {Location} */
export function locationOf({ frames, resources }, frameId) {
  const { name, resourceId, line, column } = frames[frameId];
  return {
    name: name || ANONYMOUS,
    file: resourceId === undefined ? '' : resources[resourceId],
    line,
    column,
  };
}

/** @param {string} file or place @returns {string} without what tells nothing: the way up to the sources, the server, where packages lie */
export function shortFile(file) {
  return file
    .replace(/^(\.\.?\/)+|^[a-z][a-z0-9+.-]*:\/\/[^/]*\//i, '')
    .replace(/^(.*\/)?node_modules\//, '');
}

/** Two frames with the same key are the same function. @param {Location} location @returns {string} */
export function locationKey({ name, file, line, column }) {
  return JSON.stringify([name, file, line, column]);
}

/** @param {Location} location @returns {string} `file:line:column`, as far as known */
export function formatPlace({ file, line, column }) {
  if (!file) return '';
  return [file, line, line === undefined ? undefined : column].filter((part) => part !== undefined).join(':');
}
