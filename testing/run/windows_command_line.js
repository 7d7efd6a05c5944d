/** What neither a shell nor a program reads as anything else. */
const PLAIN = /^[\w.:\\/=@+-]+$/;

/**
 * A command for `cmd.exe`, which alone starts what is no program but a script, such as `npx` and `npm`. What is between two % is a
 * variable to it, also in quotes.
 * @param {string[]} command @returns {string}
 */
export function windowsCommandLine([program, ...args]) {
  // To the shell a slash ends the name of a program and begins a switch.
  return [program.replaceAll('/', '\\'), ...args]
    .map((text) => (PLAIN.test(text) ? text : quoted(text)))
    .join(' ');
}

/**
 * To programs, backslashes in front of a quote are half as many. A quote is doubled rather than escaped, since the shell knows no
 * escape: for it as many quotes begin as end.
 * https://learn.microsoft.com/cpp/c-language/parsing-c-command-line-arguments
 * @param {string} text
 */
function quoted(text) {
  return `"${text.replace(/(\\*)("|$)/g, (_, slashes, quote) => slashes + slashes + quote + quote)}"`;
}
