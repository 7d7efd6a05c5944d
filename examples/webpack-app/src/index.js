const input = document.querySelector('input');
const output = document.querySelector('output');

input.addEventListener('change', async () => {
  const { WordIndex } = await import(/* webpackChunkName: "words" */ './word_index.js');
  const profiler = await performance.profile({ sampleInterval: 1 });
  const index = new WordIndex(300_000);
  const words = index.closest(input.value, 5);
  const trace = await profiler.stop();
  void fetch('/traces', { method: 'POST', body: JSON.stringify(trace) });
  output.value = words.join(', ');
});
