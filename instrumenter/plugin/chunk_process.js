import { readFileSync, writeFileSync } from 'node:fs';
import { deserialize, serialize } from 'node:v8';
import { ChunkInstrumenter } from './chunk_instrumenter.js';

// A process of big_chunk.js: one chunk in, from the first file; what became of it out, to the second.
const [from, to] = process.argv.slice(2);
const { settings, root, chunk } = deserialize(readFileSync(from));
/** @type {string[]} */
const warnings = [];
const instrumenter = new ChunkInstrumenter(settings, { root, warn: (message) => warnings.push(message) });
const result = instrumenter.instrumentHere(chunk);
writeFileSync(to, serialize({ result, warnings, totals: instrumenter.takeTotals() }));
