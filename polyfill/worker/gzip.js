import { gzipSync } from 'fflate';

/** `dist/polyprof-gzip.js`: a worker that compresses what it gets. */
onmessage = ({ data }) => {
  const bytes = gzipSync(data);
  postMessage(bytes, [bytes.buffer]);
};
