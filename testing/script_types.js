import { isSniffed, mediaType } from './headers.js';

/** @import { Headers } from './headers.js' */

/** https://mimesniff.spec.whatwg.org/#javascript-mime-type */
const JAVASCRIPT = /^(text|application)\/(x-)?(java|ecma)script$/;

/** What browsers run as no script (https://fetch.spec.whatwg.org/#should-response-to-request-be-blocked-due-to-mime-type?), and what modules import beside scripts. */
const SOMETHING_ELSE = /^(audio|image|video)\/|^text\/(css|csv)$|[/+]json$|^application\/wasm$/;

/** What workers and modules have to be. @param {Headers} headers */
export function isJavaScript(headers) {
  return JAVASCRIPT.test(mediaType(headers));
}

/** What runs by a `<script>`: whatever its server calls it, or nothing at all. @param {Headers} headers */
export function isClassicScript(headers) {
  return isJavaScript(headers) || (isSniffed(headers) && !SOMETHING_ELSE.test(mediaType(headers)));
}
