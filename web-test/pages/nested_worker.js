/* global importScripts */
importScripts('/nesting.js');
const inner = new Worker('classic_worker.js');
inner.onmessage = ({ data }) => postMessage(data);
onmessage = ({ data }) => inner.postMessage(data);
