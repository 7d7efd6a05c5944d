/** How far the end of a prelude may be: before it are comments and directives. */
const SEARCHED = 10_000;

/** The name of its function table, as the prelude of a script with probes gives it. */
const TABLE = /\b__pp[HA]\d*\b[^]*?"([^"\\]+\.ppft)"/;

/** @param {string} code @param {string} url of the script @returns {string | null} address of its function table; null: it had no probes, or the table is in it */
export function tableAddress(code, url) {
  const [, name] = TABLE.exec(code.slice(0, SEARCHED)) ?? [];
  return name !== undefined && URL.canParse(name, url) ? new URL(name, url).href : null;
}
