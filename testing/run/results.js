import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { callTree } from '../../report/traces/call_tree.js';
import { htmlReport } from '../../report/formats/html_report.js';
import { MergedTrace } from '../../report/traces/merged_trace.js';
import { formatTable } from '../../report/terminal/table.js';
import { printable, terminal } from '../../report/terminal/terminal.js';
import { writeWholeFile } from '../../report/write_file.js';
import { writeArtefacts } from '../artefacts.js';

/** @import { Profile } from '../../report/formats/formats.js' */
/** @import { PageProfiles } from '../artefacts.js' */
/** @import { Artefacts } from '../options.js' */

/** Of several runs or tabs: a trace of each, one table and one report of all. */
export class MergedResults {
  #options;
  /** By page, worker and frame. @type {Map<string, MergedTrace>} */
  #merged = new Map();
  /** @type {string[]} */
  #written = [];

  /** @param {{artefacts: Artefacts, output: string, name: string, top: number}} options */
  constructor(options) {
    this.#options = options;
  }

  /** @param {PageProfiles} profiles @returns {Promise<string[]>} files with their traces */
  async add(profiles) {
    for (const { name, trace, details } of profiles) {
      const merged = this.#merged.get(name) ?? new MergedTrace();
      this.#merged.set(name, merged);
      merged.add({ name, trace, details });
    }
    const files = await writeArtefacts(profiles, { ...this.#options.artefacts, traceOnly: true });
    this.#written.push(...files);
    return files;
  }

  /** @param {string} what was added, such as `3 runs` */
  async finish(what) {
    const { output, name, top } = this.#options;
    const profiles = [...this.#merged].map(([name, merged]) => merged.profile(name));
    const report = join(output, `${name}.html`);
    await writeWholeFile(report, htmlReport(profiles));
    printProfiles(profiles, { rows: top, what });
    console.log(`\nwritten: ${report} and ${counted(this.#written.length, 'trace')}`);
    const older = tracesIn(output).filter((file) => !this.#written.includes(file));
    if (older.length > 0)
      console.error(`note: polyprof diff takes these for runs like the others, too: ${older.join(', ')}`);
  }
}

/** @param {number} count @param {string} thing */
export function counted(count, thing) {
  return `${count} ${thing}${count === 1 ? '' : 's'}`;
}

/** @param {string} folder @returns {string[]} files of traces in it, ours and others */
function tracesIn(folder) {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.trace.json'))
    .map((name) => join(folder, name));
}

/** @param {Profile[]} profiles the page first @param {{rows: number, what?: string}} how `what`: of how many */
export function printProfiles(profiles, { rows, what }) {
  const { width, color } = terminal(process.stdout);
  profiles.forEach(({ name, trace, details = {} }, i) => {
    const { engine, mode, sampleInterval } = details;
    const sampling = `${mode ?? 'different'} sampling`;
    if (i > 0) console.log(`\n${printable(`${name}, ${sampling}`)}`);
    else {
      const sampled = `${engine ?? 'several browsers'}, ${sampling} each ${sampleInterval} ms`;
      console.log(`${printable(sampled)}${what ? `, ${what}` : ''}\n`);
    }
    process.stdout.write(formatTable(callTree(trace), { width, color, rows, losses: details.losses }));
  });
}
