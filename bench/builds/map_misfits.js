import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { InvalidArgumentError } from 'commander';
import { decodedMap } from '../../instrumenter/maps/decoded_map.js';
import { mapMisfit, misplacedSegments } from '../../instrumenter/maps/map_misfit.js';
import { ROOT } from '../lib/folders.js';
import { readOptions, refuse } from '../lib/options.js';

/**
 * Which source maps are told not to be of their script, of all scripts that have their map beside them? And how many of the maps that fit are told
 * when there is another line, or in one-line scripts another statement, at the top?
 */

const { folder } = readOptions('Which source maps are told not to be of their script.', {
  folder: {
    what: 'whose scripts are looked at',
    value: 'folder',
    read: existingFolder,
    fallback: () => join(ROOT, 'node_modules'),
    fallbackName: 'that of the installed packages',
  },
});
let fitting = 0;
/** The largest share of misplaced segments of a map that fits, but for the smallest ones. */
let largest = 0;
const shifted = { told: 0, shares: /** @type {number[]} */ ([]) };
for (const { parentPath, name } of readdirSync(folder, { recursive: true, withFileTypes: true })) {
  const script = join(parentPath, name);
  if (!/\.[cm]?js$/.test(name) || !existsSync(`${script}.map`)) continue;
  const code = readFileSync(script, 'utf8');
  const map = decodedMap(readFileSync(`${script}.map`, 'utf8'));
  const misfit = mapMisfit(code, map);
  if (misfit) {
    console.log(`${script}: ${misfit}`);
    continue;
  }
  fitting++;
  const { segments, misplaced } = misplacedSegments(code, map);
  if (segments < 20) continue;
  largest = Math.max(largest, misplaced / segments);
  const other = code.split('\n').length > 5 ? `\n${code}` : `let q=1;${code}`;
  const wrong = misplacedSegments(other, map);
  shifted.shares.push(wrong.misplaced / wrong.segments);
  if (mapMisfit(other, map)) shifted.told++;
}
if (fitting === 0) refuse(`no script in ${folder} has a map beside it that fits`);
console.log(`${fitting} maps fit, with at most ${(100 * largest).toFixed(1)} % of misplaced segments`);
const shares = shifted.shares.sort((a, b) => a - b);
const least = shares[Math.floor(shares.length / 50)];
console.log(
  `${shifted.told} of ${shares.length} are told once something is put on top of their scripts: ` +
    `of 98 in a hundred ${(100 * least).toFixed(1)} % of the segments and more are misplaced then`,
);

/** @param {string} path */
function existingFolder(path) {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory())
    throw new InvalidArgumentError('There is no such folder.');
  return path;
}
