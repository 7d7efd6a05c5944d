import { stripVTControlCharacters } from 'node:util';
import { printable } from '../report/terminal/terminal.js';

/** As `printable`, of several lines. Errors of Playwright have colours. @param {string} text */
export function printableLines(text) {
  return stripVTControlCharacters(text).split('\n').map(printable).join('\n');
}
