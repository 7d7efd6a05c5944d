// `dist/polyprof-extra.js`
export { withIdleFrame } from './idle_frame.js';
export { isHidden, withoutHidden } from './hidden_scripts.js';
export { traceBytes } from './trace_bytes.js';
export { sendOnHide } from './send_on_hide.js';
export { startFromText } from './start_from_text.js';
export { whyNoCore } from './why_not_loaded.js';
export { watch } from './watch.js';
