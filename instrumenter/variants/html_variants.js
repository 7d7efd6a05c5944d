import { CHOOSER_FILE, distFile } from '../files/dist_files.js';
import { elements, attribute, scriptType } from '../pages/html_scripts.js';
import { withDigests } from '../pages/integrity.js';

/**
 * @typedef {import('../pages/html_scripts.js').Element} Element
 * @typedef {import('./variant_options.js').VariantSettings} VariantSettings
 * @typedef {object} PageOptions
 * @property {VariantSettings} variants
 * @property {(url: string) => Twin | null} twinOf of a script, as the page names it; null: it has none
 * @property {(index: number) => Twin | null} [twinOfInline] of an inline script that runs, as a file of its own; counted from 0
 * @property {(json: string) => string | null} [twinOfImportMap]
 * @property {string | null} polyfill address of `polyprof.js`, for pages that do not bring it; null: nobody does
 * @property {string} chooser address of `polyprof-chooser.js`, if it is not inline
 *
 * @typedef {{url: string, digest: (algorithm: string) => string}} Twin `digest`: in base64, of its content
 */

/** @typedef {{start: number, end: number, plain: string, probed: string, nonce?: string, crossorigin?: string}} Choice */

/** The page's own tag for the polyfill: only the variant with probes has a use for it. */
const POLYFILL = /(^|\/)polyprof\.m?js([?#]|$)/;

/** What would end the comment that hides the plain scripts. */
const COMMENT_END = /--!?>/;

/**
 * Makes a page whose scripts are there twice choose: before scripts that have twins stands a chooser (polyfill/chooser.js), which in
 * chosen sessions writes the twins and turns the plain ones into a comment.
 * @param {string} html
 * @param {PageOptions} options
 * @returns {{html: string, kept: number[]}} `kept`: offsets of scripts that stay plain in both variants, since their text has the end
 *   of a comment in it
 */
export function withVariants(html, options) {
  /** @type {number[]} */
  const kept = [];
  const choices = choicesIn(html, options).filter((choice) => {
    if (!COMMENT_END.test(choice.plain)) return true;
    kept.push(choice.start);
    return false;
  });
  const groups = grouped(choices, html);
  if (!groups.some((group) => group.some(({ plain }) => plain))) return { html, kept };
  const isBrought = choices.some(({ plain }) => !plain);

  let output = '';
  let end = 0;
  for (const [index, group] of groups.entries()) {
    const { crossorigin } = group[0];
    const polyfill = index === 0 && !isBrought && options.polyfill;
    const first = polyfill ? tag('script', { src: polyfill, crossorigin }, '</script>') : '';
    const probed = first + group.map((choice) => choice.probed).join('');
    output += html.slice(end, group[0].start);
    if (index === 0) output += encodingAfter(group[0].start, html);
    output += chooserTag(probed, group, options);
    output += `${plainText(group, html)}<!---->`;
    end = /** @type {Choice} */ (group.at(-1)).end;
  }
  return { html: output + html.slice(end), kept };
}

/**
 * Browsers look for a page's encoding in its first 1024 bytes, from which a chooser might push it.
 * @param {number} start @param {string} html @returns {string} the tag that says it, if that comes later
 */
function encodingAfter(start, html) {
  const meta = elements(html, ['meta']).find((element) => attribute(element, 'charset') !== undefined);
  const place = meta?.sourceCodeLocation;
  return place && place.startOffset > start ? html.slice(place.startOffset, place.endOffset) : '';
}

/** @param {Choice[]} group @param {string} html @returns {string} the scripts, and what is between them */
function plainText(group, html) {
  return group
    .map(({ plain, end }, index) => plain + (group[index + 1] ? html.slice(end, group[index + 1].start) : ''))
    .join('');
}

/** @param {Choice[]} choices @param {string} html @returns {Choice[][]} those that have nothing but white space between them together */
function grouped(choices, html) {
  /** @type {Choice[][]} */
  const groups = [];
  for (const choice of choices) {
    const last = groups.at(-1)?.at(-1);
    if (last && html.slice(last.end, choice.start).trim() === '') groups.at(-1)?.push(choice);
    else groups.push([choice]);
  }
  return groups;
}

/** @param {string} probed @param {Choice[]} group @param {PageOptions} options */
function chooserTag(probed, group, { variants, chooser }) {
  const { sampleRate, parameter, nonce } = variants;
  const isInline = variants.chooser === 'inline';
  const attributes = {
    nonce: nonce ?? group.find((choice) => choice.nonce !== undefined)?.nonce,
    src: isInline ? undefined : chooser,
    'data-rate': String(sampleRate),
    'data-parameter': parameter,
    'data-probed': probed.replaceAll('%', '%25').replaceAll('<', '%3C'),
  };
  return tag('script', attributes, `${isInline ? distFile(CHOOSER_FILE).toString().trim() : ''}</script>`);
}

/** @param {string} html @param {PageOptions} options @returns {Choice[]} in the order of the page */
function choicesIn(html, options) {
  const scripts = elements(html, ['script', 'link']);
  let inline = 0;
  return scripts.flatMap((element) => {
    const location = element.sourceCodeLocation;
    if (!location) return [];
    const { startOffset: start, endOffset: end } = location;
    const type = element.tagName === 'script' ? scriptType(element) : 'link';
    const isInline = type !== 'link' && type !== null && attribute(element, 'src') === undefined;
    const text = html.slice(start, end);
    const index = isInline && element.childNodes.length > 0 ? inline++ : -1;
    const probed = probedText(element, type, index, text, options);
    if (probed === null) return [];
    const plain = isPolyfill(element) ? '' : text;
    return [
      {
        start,
        end,
        plain,
        probed,
        nonce: attribute(element, 'nonce'),
        crossorigin: attribute(element, 'crossorigin'),
      },
    ];
  });
}

/** @param {Element} element */
const isPolyfill = (element) =>
  element.tagName === 'script' && POLYFILL.test(attribute(element, 'src') ?? '');

/**
 * @param {Element} element
 * @param {string | null} type
 * @param {number} index among the inline scripts that run; -1: it is none
 * @param {string} text
 * @param {PageOptions} options
 * @returns {string | null} null: nothing to choose
 */
function probedText(element, type, index, text, { twinOf, twinOfInline, twinOfImportMap }) {
  const attributes = Object.fromEntries(element.attrs.map(({ name, value }) => [name, value]));
  delete attributes.nonce;
  if (isPolyfill(element)) return tag('script', attributes, '</script>');
  if (attributes.type?.trim().toLowerCase() === 'importmap') {
    const map = twinOfImportMap?.(textIn(element)) ?? null;
    return map && tag('script', attributes, `${map.replaceAll('<', '\\u003c')}</script>`);
  }
  const key = type === 'link' ? 'href' : 'src';
  if (index >= 0) {
    const twin = twinOfInline?.(index);
    if (!twin) return null;
    // On an inline script they mean nothing.
    if (type === 'script') for (const name of ['async', 'defer', 'integrity']) delete attributes[name];
    return tag('script', { ...attributes, src: twin.url }, '</script>');
  }
  const twin = type && attributes[key] !== undefined ? twinOf(attributes[key]) : null;
  if (!twin) return null;
  const { integrity } = attributes;
  const digests = integrity && withDigests(integrity, twin.digest);
  const own = { ...attributes, [key]: twin.url, integrity: digests };
  return type === 'link' ? tag('link', own, '') : tag('script', own, '</script>');
}

/** @param {Element} element @returns {string} */
function textIn(element) {
  const [child] = element.childNodes;
  return child && 'value' in child ? child.value : '';
}

/** @param {string} name @param {Record<string, string | undefined>} attributes @param {string} rest */
function tag(name, attributes, rest) {
  const written = Object.entries(attributes).map(([key, value]) => {
    if (value === undefined) return '';
    return value === '' ? ` ${key}` : ` ${key}="${value.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"`;
  });
  return `<${name}${written.join('')}>${rest}`;
}
