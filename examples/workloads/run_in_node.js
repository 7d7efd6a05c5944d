import { runInNode } from './lib/node.js';

// Prints the digest of one run: `node examples/workloads/run_in_node.js FOLDER NAME [SCALE]`.
const [folder, name, scale = '1'] = process.argv.slice(2);
if (!folder || !name || !(Number(scale) > 0)) {
  console.error('usage: node examples/workloads/run_in_node.js FOLDER NAME [SCALE]');
  process.exit(2);
}
console.log(await runInNode(folder, name, Number(scale)));
