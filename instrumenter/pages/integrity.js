/** One digest of a value that has several: https://w3c.github.io/webappsec-subresource-integrity/#the-integrity-attribute */
const DIGEST = /(sha256|sha384|sha512)-[\w+/=-]+/g;

/**
 * @param {string} integrity what an `integrity` attribute or an import map says of one file
 * @param {(algorithm: string) => string | null} digest of that file, in base64; `algorithm`: `sha256`, `sha384`, `sha512`; null: as before
 * @returns {string} the same with these digests, by the same algorithms
 */
export function withDigests(integrity, digest) {
  return integrity.replace(DIGEST, (before, algorithm) => {
    const value = digest(algorithm);
    return value === null ? before : `${algorithm}-${value}`;
  });
}
