import { createRequire } from 'node:module';

/** By `require`: `import` reads CommonJS twice, once for the names that it exports. @type {typeof import('@babel/parser')} */
export const { parse } = createRequire(import.meta.url)('@babel/parser');
