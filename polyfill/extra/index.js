// `dist/polyprof-extra.mjs`
export { sendOnHide } from './send_on_hide.js';
export { watch } from './watch.js';
