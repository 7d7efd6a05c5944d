import fs from 'node:fs';
import path from 'node:path';
import { withSourceMapComment } from '../maps/source_map_comment.js';
import { SourceError } from '../source_error.js';
import { sourcePath } from '../sources/source_path.js';
import { readSourceMap } from './read_source_map.js';
import { instrumentScripts } from './script_pool.js';
import { textOf } from './text_of.js';

/** @typedef {import('./plan_files.js').FileJob} FileJob */
/** @typedef {import('./read_source_map.js').ScriptMap} ScriptMap */
/** @typedef {import('./script_task.js').ScriptTask} ScriptTask */

/** Bytes of a file that lists digests, at most. Larger ones are data. */
const LONGEST_LIST = 16e6;

/** What patterns for sources are relative to. */
const ROOT = process.cwd();

/** The scripts of a site: with probes, their tables and source maps beside them, and with right digests of each other. */
export class SiteScripts {
  #run;

  /** @param {import('./site_run.js').SiteRun} run */
  constructor(run) {
    this.#run = run;
  }

  /** @param {FileJob[]} jobs @param {FileJob[]} others that get no probes, and may name digests of those that do */
  async instrument(jobs, others) {
    const { cache, threads, calibration } = this.#run.options;
    /** Scripts that were not done before. @type {{job: FileJob, had: ScriptMap, task: ScriptTask}[]} */
    const due = [];
    for (const job of jobs) {
      const code = textOf(job);
      if (code === null) {
        this.#run.noteEncoding(job);
        this.#run.copy(job);
        continue;
      }
      const had = readSourceMap(code, job.input);
      if (had.problem) this.#run.note(job, had.problem);
      const task = this.#task(job, code, had);
      this.#noteSources(task, had);
      const known = cache.read(task);
      if (known) this.#finish(job, had, code, known);
      else due.push({ job, had, task });
    }
    const tasks = due.map(({ task }) => task);
    await instrumentScripts(tasks, { threads, calibration }, (index, outcome) => {
      const { job, had, task } = due[index];
      if (outcome instanceof SourceError) {
        this.#run.noteError(job, outcome);
        this.#run.digests.add(job.name, task.code, task.code);
        return this.#run.copy(job);
      }
      cache.write(task, outcome);
      this.#finish(job, had, task.code, outcome);
    });
    this.#addDigestsOf(others);
    this.#updateDigests(new Map([...jobs, ...others].map((job) => [job.name, job])), new Set(others));
  }

  /** @param {FileJob} job @param {string} code @param {ScriptMap} had @returns {ScriptTask} */
  #task({ name, input }, code, { map }) {
    const { settings, options, twins } = this.#run;
    return {
      code,
      name,
      folder: path.resolve(path.dirname(input)),
      root: ROOT,
      ...settings,
      sources: options.sources,
      sourceMap: options.sourceMap || map !== null,
      inputMap: map,
      ...(twins && { twins: twinsNamedIn(code, twins) }),
    };
  }

  /** @param {ScriptTask} task @param {ScriptMap} had */
  #noteSources({ name, folder }, { map, sources }) {
    if (!this.#run.hasPatterns) return;
    const paths = map ? sources.map((source) => sourcePath(source, { root: ROOT, folder })) : [name];
    for (const path of paths) this.#run.report.sources.add(path);
  }

  /**
   * @param {FileJob} job @param {ScriptMap} had its source map
   * @param {string} input @param {import('./script_task.js').ScriptResult} result
   */
  #finish(job, had, input, result) {
    const run = this.#run;
    if (!result.table) {
      run.digests.add(job.name, input, input);
      run.finish(job, result, input, input);
      return run.copy(job);
    }
    let output = result.code;
    const folder = path.dirname(job.output);
    if (result.map) {
      const mapName = `${path.basename(job.output)}.map`;
      if (!had.isHidden || run.options.sourceMap)
        output = withSourceMapComment(output, encodeURIComponent(mapName));
      run.output.replace(path.join(folder, mapName), result.map);
      // The plain variant has its map as before.
      if (had.file && !run.twins)
        run.output.leaveOut(path.join(folder, path.relative(path.dirname(job.input), had.file)));
    }
    run.changed.set(job.name, output);
    run.digests.add(job.name, input, output);
    run.finish(job, result, input, output);
    run.output.done();
  }

  /** @param {FileJob[]} others that get no probes */
  #addDigestsOf(others) {
    for (const job of others) {
      if (fs.statSync(job.input).size > LONGEST_LIST) continue;
      const text = textOf(job);
      if (text !== null) this.#run.digests.add(job.name, text, text);
    }
  }

  /** @param {Map<string, FileJob>} jobs by name @param {Set<FileJob>} others of them that were not copied yet */
  #updateDigests(jobs, others) {
    const run = this.#run;
    for (const [name, code] of run.digests.changed) {
      const job = /** @type {FileJob} */ (jobs.get(name));
      if (!run.changed.has(name)) {
        run.report.adapted++;
        if (!others.has(job)) run.report.copied--;
      }
      run.changed.set(name, code);
      run.output.replace(job.output, code);
    }
  }
}

/**
 * Only those that it may mean: a script's result does not depend on the others' names.
 * @param {string} code @param {import('../variants/twins.js').Twins} twins
 */
function twinsNamedIn(code, { files }) {
  return [...files].filter((file) => code.includes(path.posix.basename(file)));
}
