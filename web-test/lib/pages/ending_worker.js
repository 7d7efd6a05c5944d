// Stores 1 in cells[0] once /end is answered; for loops that have no event loop to hear of it.
onmessage = async ({ data: cells }) => {
  const answer = fetch('/end');
  postMessage('ready');
  await answer;
  Atomics.store(cells, 0, 1);
};
