/** Modules of files in whatever language a plugin knows. */
const MODULE = /\.\w+$/;
/** What the server itself makes modules of: functions in them are its packing. */
const NO_SCRIPT = /\.(?:css|less|sass|scss|styl|stylus|pcss|postcss|sss|json5?|html?)$/;
const NO_MODULE = /[?&](?:raw|url|inline|direct|worker_file|type=style|lang\.css)\b/;
const SERVERS_OWN = /\/vite\/dist\/client\//;

/** @param {string} id of a module of Vite's dev server @returns {string} the file that it is made from; empty: its functions are nobody's */
export function fileOf(id) {
  const file = id.replace(/\?.*$/s, '');
  const isInlineScript = /\?html-proxy\b.*\.js$/.test(id);
  if (id.startsWith('\0') || NO_MODULE.test(id) || SERVERS_OWN.test(file)) return '';
  return isInlineScript || (MODULE.test(file) && !NO_SCRIPT.test(file)) ? file : '';
}
