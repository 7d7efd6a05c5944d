/** The note for builds that make no HTML page with a script that has a twin, so that nothing chooses a variant yet. */
export const NO_PAGE =
  'no page of this build chooses a variant, so all sessions get the plain one: `npx polyprof instrument <folder> -o <folder> ' +
  '--variants <rate>` lets pages choose that are files, and servers that write pages name the .probed.js';
