import path from 'node:path';
import { decodedAddress } from '../pages/decoded_address.js';
import { updatedPrecacheList } from './precache_list.js';
import { compressedAs } from './precompressed.js';
import { updatedManifest } from './service_worker_manifest.js';
import { textOf } from './text_of.js';

/** @typedef {import('./plan_files.js').FileJob} FileJob */

/** Files that hold digests of other files (manifests, precache lists) or compressed copies of them: they are updated last, when all other files are written. */
export class FollowingFiles {
  #output;
  #notes;

  /** @param {import('./site_output.js').SiteOutput} output @param {string[]} notes */
  constructor(output, notes) {
    this.#output = output;
    this.#notes = notes;
  }

  /** @param {FileJob} job the manifest of a service worker */
  manifest(job) {
    const folder = path.dirname(job.output);
    this.#update(job, (json) =>
      updatedManifest(json, (name) => this.#output.digestOf(path.join(folder, name), 'sha1')),
    );
  }

  /** @param {FileJob} job a service worker that lists files */
  precaching(job) {
    const root = path.resolve(job.output, ...job.name.split('/').map(() => '..'));
    this.#update(job, (script) =>
      updatedPrecacheList(script, (url) => {
        const folder = url.startsWith('/') ? root : path.dirname(job.output);
        const file = path.join(folder, decodedAddress(url.replace(/[?#].*$/s, '')));
        return this.#output.digestOf(file, 'md5');
      }),
    );
  }

  /** @param {FileJob} job @param {(text: string) => string} updated */
  #update(job, updated) {
    // It may have been changed before, for digests of scripts.
    const before = this.#output.isReplaced(job.output)
      ? String(this.#output.contentOf(job.output))
      : textOf(job);
    if (before !== null) return this.#output.update(job, before, updated(before));
    this.#notes.push(`${job.input}: is not UTF-8, and was copied`);
    this.#output.copy(job);
  }

  /** @param {FileJob} job what servers may send in place of another file @param {FileJob} plain */
  compressed(job, plain) {
    if (!this.#output.isReplaced(plain.output)) return this.#output.copy(job);
    const content = this.#output.contentOf(plain.output);
    // A source map that has another name now.
    if (!content) return this.#output.done();
    const result = compressedAs(job.name, content);
    if (result) return this.#output.adapt(job, result);
    this.#notes.push(
      `${job.input}: left out, since ${plain.name} has changed and Node ${process.versions.node} cannot compress it so: compress it anew`,
    );
    this.#output.done();
  }
}
