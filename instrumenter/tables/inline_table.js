import { terminator } from '../probes/seams.js';

/**
 * A function table inside its script, for code whose place nobody knows yet: at the end, where it moves no function, as a function
 * declaration, which the prelude can call.
 */

/** @param {number} scriptId @returns {string} scripts share a global scope */
export function tableFunctionName(scriptId) {
  return `__ppU_${scriptId.toString(36)}`;
}

/**
 * @param {string} name
 * @param {Uint8Array} table
 * @param {import('../script.js').ScriptPlan} script that has edits
 * @param {import('../text/edits.js').Edits} edits sealed, and again afterwards
 */
export function appendTable(name, table, { program, code }, edits) {
  const url = `data:application/octet-stream;base64,${Buffer.from(table).toString('base64')}`;
  // After the last statement, since the script may end with a comment; the top level's own end comes before it.
  const last = program.body.at(-1) ?? program.directives.at(-1);
  const end = terminator([...program.directives, ...program.body].slice(-1), { code });
  edits.after(last.end, -1, `${end}function ${name}(){return"${url}"}`);
  edits.seal();
}
