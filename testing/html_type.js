import { headerOf, isSniffed, mediaType } from './headers.js';

/** @import { Headers } from './headers.js' */

/**
 * With what a page begins that its server does not call one: https://mimesniff.spec.whatwg.org/#identifying-a-resource-with-an-unknown-mime-type
 */
const HTML =
  /^[\t\n\f\r ]*<(!doctype html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p|!--)[ >]/i;

/** So much of a body tells what it is, in bytes. */
const SNIFFED_BYTES = 1445;

/**
 * Whether browsers show it as a page. What they keep as a file is none.
 * @param {Headers} headers @returns {boolean} true: it is one, or its body says whether it is (`isHtml`)
 */
export function mayBeHtml(headers) {
  return !isFile(headers) && (mediaType(headers) === 'text/html' || isUntyped(headers));
}

/** What is no page, and comes in one piece: films do not. */
const SHOWN_AS_IT_IS = /^(image|text)\/|^application\/(pdf|(.+\+)?(json|xml))$/;

/** Whether browsers show it, whatever they do to show it. @param {Headers} headers */
export function isShownAsItIs(headers) {
  return !isFile(headers) && SHOWN_AS_IT_IS.test(mediaType(headers));
}

/** Browsers keep it, and show nothing. @param {Headers} headers */
function isFile(headers) {
  return /^\s*attachment\b/i.test(headerOf(headers, 'content-disposition') ?? '');
}

/** @param {Headers} headers that may be those of a page @param {Buffer} body */
export function isHtml(headers, body) {
  return !isUntyped(headers) || HTML.test(body.subarray(0, SNIFFED_BYTES).toString('latin1'));
}

/** Its type is what its body looks like. @param {Headers} headers */
function isUntyped(headers) {
  return mediaType(headers) === '' && isSniffed(headers);
}
