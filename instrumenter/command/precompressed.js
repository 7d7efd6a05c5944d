import zlib from 'node:zlib';

/** Files that servers send in place of others, to browsers that read them: nginx by `gzip_static`, SvelteKit's by themselves. */

/** Made once, and sent often. @type {Record<string, ((content: Uint8Array) => Uint8Array) | undefined>} by suffix; undefined: not by this Node */
const COMPRESS = {
  '.gz': (content) => zlib.gzipSync(content, { level: 9 }),
  '.br': (content) => zlib.brotliCompressSync(content),
  '.zst': /** @type {any} */ (zlib).zstdCompressSync,
};

const SUFFIX = /\.(gz|br|zst)$/i;

/** @param {string} name @returns {string | null} what it is sent in place of */
export function plainNameOf(name) {
  return SUFFIX.test(name) ? name.replace(SUFFIX, '') : null;
}

/** @param {string} name @param {Uint8Array} content of what it is sent in place of @returns {Uint8Array | null} null: this Node cannot */
export function compressedAs(name, content) {
  const [suffix] = /** @type {RegExpExecArray} */ (SUFFIX.exec(name));
  return COMPRESS[suffix.toLowerCase()]?.(content) ?? null;
}
