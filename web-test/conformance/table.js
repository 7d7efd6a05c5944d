import { fileURLToPath } from 'node:url';
import { DRAFT, WICG } from './requirements.js';

/**
 * The tables of docs/conformance.md. That each row is true is what web-test/conformance.test.js tests.
 * @param {import('./requirements.js').Requirement[]} requirements
 */
export function tableOf(requirements) {
  const hasNative = requirements === WICG;
  const lines = [
    `| | | | Chromium, Firefox, WebKit |${hasNative ? " Chromium's own |" : ''}`,
    `|---|---|---|---|${hasNative ? '---|' : ''}`,
  ];
  let last = '';
  for (const { section, level, statement, native } of requirements) {
    const own = hasNative ? ` ${native ? `differs: ${native}` : 'holds'} |` : '';
    lines.push(`| ${section === last ? '' : section} | ${level} | ${statement} | hold |${own}`);
    last = section;
  }
  return lines.join('\n').replaceAll('| hold |', '| holds |');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  console.log(`${tableOf(WICG)}\n\n${tableOf(DRAFT)}`);
}
