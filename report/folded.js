import { callTree } from './call_tree.js';
import { ANONYMOUS, formatPlace } from './location.js';

/** @import { PathTime } from './call_tree.js' */
/** @import { Profile } from './formats.js' */
/** @import { Location } from './location.js' */

/**
 * Collapsed stacks, as flamegraph.pl and many others read them: `outermost;…;innermost samples`, one line per path, sorted. Several
 * profiles are added up; idle samples have no stack and are left out.
 * @param {Profile[]} profiles
 * @returns {string}
 */
export function folded(profiles) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { trace } of profiles) addPaths(callTree(trace).root, counts);
  return [...counts]
    .map(([path, count]) => `${path} ${count}\n`)
    .sort()
    .join('');
}

/** @param {PathTime} root @param {Map<string, number>} counts by path */
function addPaths(root, counts) {
  /** @type {{path: string, node: PathTime}[]} */
  const open = [{ path: '', node: root }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { path, node } = next;
    if (node.self > 0) counts.set(path, (counts.get(path) ?? 0) + node.self);
    for (const child of node.children) {
      const label = labelOf(/** @type {Location} */ (child.location));
      open.push({ path: path ? `${path};${label}` : label, node: child });
    }
  }
}

/** A name, and for one that many functions share also the place. A semicolon or a line break would end it. @param {Location} location */
function labelOf(location) {
  const place = formatPlace(location);
  const label = location.name === ANONYMOUS && place ? `${location.name} ${place}` : location.name;
  return label.replaceAll(';', ':').replace(/\s/g, ' ');
}
