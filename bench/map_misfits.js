import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { decodedMap } from '../instrumenter/decoded_map.js';
import { mapMisfit } from '../instrumenter/map_misfit.js';

/**
 * Which source maps are told not to be of their script? `node bench/map_misfits.js [folder]` looks at every script that has its map beside it; by default
 * those of the installed packages.
 */

const folder = process.argv[2] ?? fileURLToPath(new URL('../node_modules/', import.meta.url));
let fitting = 0;
for (const { parentPath, name } of readdirSync(folder, { recursive: true, withFileTypes: true })) {
  const script = join(parentPath, name);
  if (!/\.[cm]?js$/.test(name) || !existsSync(`${script}.map`)) continue;
  const misfit = mapMisfit(readFileSync(script, 'utf8'), decodedMap(readFileSync(`${script}.map`, 'utf8')));
  if (misfit) console.log(`${script}: ${misfit}`);
  else fitting++;
}
console.log(`${fitting} maps fit`);
