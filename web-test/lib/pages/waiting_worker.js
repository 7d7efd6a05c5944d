// Sleeps until cells[0] is no longer 0, and says how it was woken.
onmessage = ({ data: cells }) => {
  postMessage('waiting');
  postMessage(Atomics.wait(cells, 0, 0, 60_000));
};
