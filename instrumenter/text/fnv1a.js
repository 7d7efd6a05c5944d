/** @param {Uint8Array} bytes @returns {number} FNV-1a hash, unsigned 32 bit */
export function fnv1a(bytes) {
  let hash = 0x811c9dc5;
  for (let i = 0; i < bytes.length; i++) hash = Math.imul(hash ^ bytes[i], 0x01000193);
  return hash >>> 0;
}

/** @param {string} file @param {string} code @returns {number} the id of a script: the same text in the same file, the same id */
export function scriptIdOf(file, code) {
  return fnv1a(new TextEncoder().encode(`${file}\0${code}`));
}
