import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, run } from './lib/run.js';

/** Makes dist/types/, anew: the compiler leaves types there of files that are gone, and the package would have them. */

rmSync(join(ROOT, 'dist/types'), { recursive: true, force: true });
await run('tsc', ['-p', 'tsconfig.types.json']);
