import { cpSync, existsSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { watch } from 'node:fs/promises';
import { join } from 'node:path';
import puppeteer from 'puppeteer-core';
import { findBrowser } from '../../instrumenter/serving/find_browser.js';
import { temporaryFolder } from '../../web-test/lib/children.js';
import { ROOT } from './run.js';

/** What Firefox has compiled of its own scripts, and for which Firefox: others make it anew. */
const KEPT = ['startupCache', 'compatibility.ini'];

/** Then Firefox will not write it any more, ms. */
const LONGEST_MS = 60_000;

/**
 * Puts a `firefox` before that of PATH, for this process and those it starts: the same one, whose new profiles have what an earlier one has compiled. That is a fifth of
 * what Firefox does until its first page, and tests start some fifty. The first time it takes some seconds until there is something.
 */
export function warmFirefox() {
  const program = findBrowser('firefox');
  // What is missing is told by who needs it.
  if (!program) return;
  const folder = join(ROOT, 'build/firefox');
  const kept = join(folder, `kept-${statSync(program).mtimeMs}`);
  mkdirSync(folder, { recursive: true });
  // A profile that was used has its own.
  const script = `#!/bin/sh
for argument; do
  case $before in --profile | -profile) [ -e "$argument/compatibility.ini" ] || cp -r '${kept}/.' "$argument" 2>&- ;; esac
  before=$argument
done
exec '${program}' "$@"
`;
  writeFileSync(join(folder, 'firefox'), script, { mode: 0o755 });
  process.env.PATH = `${folder}:${process.env.PATH}`;
  if (!existsSync(kept)) compile(program, kept).catch(() => {});
}

/** @param {string} program @param {string} kept where it goes, as a whole */
async function compile(program, kept) {
  const { path: profile, release } = temporaryFolder();
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: program,
    userDataDir: profile,
    env: { ...process.env, HOME: profile },
  });
  try {
    // Made anew at its start, and written some seconds after it.
    const written = watch(join(profile, KEPT[0]), { signal: AbortSignal.timeout(LONGEST_MS) });
    for await (const { filename } of written) if (filename === 'scriptCache.bin') break;
  } finally {
    await browser.close();
  }
  const begun = `${kept}.begun`;
  rmSync(begun, { recursive: true, force: true });
  for (const name of KEPT) cpSync(join(profile, name), join(begun, name), { recursive: true });
  renameSync(begun, kept);
  release();
}
