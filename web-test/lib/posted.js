/** @param {import('./server.js').Recorded} request @returns {boolean} of a page that sends its trace */
export const isTrace = ({ method, path }) => method === 'POST' && path === '/traces';
