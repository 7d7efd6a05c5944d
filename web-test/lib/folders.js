import { fileURLToPath } from 'node:url';

/** Folders by URL prefix, for `serve`: the web tests' pages, the build, and what the harness itself needs. */
export const FOLDERS = Object.freeze({
  '/': fileURLToPath(new URL('../pages/', import.meta.url)),
  '/dist/': fileURLToPath(new URL('../../dist/', import.meta.url)),
  '/harness/': fileURLToPath(new URL('pages/', import.meta.url)),
});
