import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RESULTS } from './folders.js';

/** @param {string} name of a file in bench/results/ @param {string} text */
export function writeResult(name, text) {
  mkdirSync(RESULTS, { recursive: true });
  writeFileSync(join(RESULTS, name), text);
}

/** Ends a bench: shows its lines together, and keeps them. @param {string} name of a file in bench/results/ @param {string[]} lines */
export function writeLines(name, lines) {
  const text = `${lines.join('\n')}\n`;
  writeResult(name, text);
  console.log(`\n${text}`);
}
