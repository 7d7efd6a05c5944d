/** Comments that say of the function after them, and of what is in it, whether it gets probes. A minifier keeps those that begin with `!`. */
const MARK = /^[!*\s]*polyprof-(ignore|include)\s*$/;

/** What may not stand between the comment and its function. */
const ANOTHER_STATEMENT = /[;{}]/;

/**
 * @param {import('./function_record.js').FunctionRecord[]} records each after the one around it
 * @param {import('../syntax/parse.js').Node[]} comments of the script, in order
 * @param {string} code
 */
export function applyMarks(records, comments, code) {
  const marks = comments.filter((comment) => MARK.test(comment.value));
  if (marks.length === 0) return;
  const functions = records
    .filter((record) => record.kind === 'function')
    .sort((a, b) => a.node.start - b.node.start || b.node.end - a.node.end);
  for (const comment of marks) {
    const next = functions.find((record) => record.node.start >= comment.end);
    if (!next || ANOTHER_STATEMENT.test(codeBetween(comment.end, next.node.start, comments, code))) continue;
    next.mark = /** @type {'ignore' | 'include'} */ (MARK.exec(comment.value)?.[1]);
  }
  // The text of a function that is to stay as it is has others in it.
  for (const record of records) if (record.parent?.mark === 'ignore') record.mark ??= 'ignore';
}

/** Without comments: one that documents the function may have any text. @param {number} from @param {number} to @param {import('../syntax/parse.js').Node[]} comments @param {string} code */
function codeBetween(from, to, comments, code) {
  let text = '';
  for (const { start, end } of comments) {
    if (start < from) continue;
    if (start >= to) break;
    text += code.slice(from, start);
    from = end;
  }
  return text + code.slice(from, to);
}
