/** The folder of polyprof.js, or whatever `install({ baseUrl })` says: where all our other files are. @type {{url: URL | undefined}} */
export const base = { url: undefined };
