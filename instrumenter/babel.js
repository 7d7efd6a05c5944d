import { createRequire } from 'node:module';

/** Babel by `require`: `import` reads CommonJS twice, once for the names that it exports. */
const require = createRequire(import.meta.url);

/** @type {typeof import('@babel/parser')} */
export const { parse } = require('@babel/parser');

/** @type {typeof import('@babel/types')} */
export const { VISITOR_KEYS, getBindingIdentifiers } = require('@babel/types');
