import { readFileSync, writeFileSync } from 'node:fs';
import { deserialize, serialize } from 'node:v8';
import { instrumentHere } from './instrument_chunk.js';

// A process of big_chunk.js: one chunk in, from the first file; what became of it out, to the second.
const [from, to] = process.argv.slice(2);
const { project, chunk } = deserialize(readFileSync(from));
writeFileSync(to, serialize(instrumentHere(project, chunk)));
