import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { listFunctions } from '../../instrumenter/budget/list_functions.js';

/**
 * A copy of a workload in which a function is slower by a loop that does nothing useful; without a source map, since columns move.
 * @param {string} from @param {string} to folders of the workload
 * @param {{workload: string, name: string, rounds: number}} which function, by its name in the sources, and how long the loop is
 * @returns {string} what the function is called in the minified script
 */
export function writeSlowed(from, to, { workload, name, rounds }) {
  mkdirSync(to, { recursive: true });
  const script = `${workload}.js`;
  const code = readFileSync(join(from, script), 'utf8');
  const inputMap = JSON.parse(readFileSync(join(from, `${script}.map`), 'utf8'));
  const slowed = listFunctions(code, { file: script, inputMap }).find(
    ({ key }) => key.name.split('>').at(-1) === name,
  );
  if (!slowed) throw new Error(`the bundle has no function ${name}`);
  const lineStart =
    code
      .split('\n')
      .slice(0, slowed.line - 1)
      .join('\n').length + (slowed.line > 1 ? 1 : 0);
  const parameters = lineStart + slowed.column - 1;
  const body = code.indexOf('{', parameters) + 1;
  const loop = `let __s=0;for(let i=0;i<${rounds};i++)__s=Math.imul(__s,1664525)+i|0;globalThis.__spin=__s;`;
  const output = `${code.slice(0, body)}${loop}${code.slice(body)}`.replace(
    /^\/\/# sourceMappingURL=.*$/m,
    '',
  );
  writeFileSync(join(to, script), output);
  for (const file of ['index.html', 'page.js', 'input.json'])
    writeFileSync(join(to, file), readFileSync(join(from, file)));
  return /([\w$]+)\s*$/.exec(code.slice(0, parameters))?.[1] ?? '';
}
