/** Where the worker and the core are; set by `install`. @type {{url: URL | undefined}} */
export const base = { url: undefined };
