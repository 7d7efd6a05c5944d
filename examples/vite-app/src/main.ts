import type {} from 'polyprof';
import { Board } from './life';

const board = new Board(256);
const canvas = document.querySelector('canvas')!.getContext('2d')!;
const result = document.querySelector('#result')!;

function draw(): void {
  const image = canvas.createImageData(board.size, board.size);
  for (let y = 0; y < board.size; y++) {
    for (let x = 0; x < board.size; x++) {
      image.data[(y * board.size + x) * 4 + 3] = board.isAlive(x, y) ? 255 : 0;
    }
  }
  canvas.putImageData(image, 0, 0);
}

draw();

document.querySelector('#profile')!.addEventListener('click', async () => {
  const profiler = await performance.profile({ sampleInterval: 1 });
  for (let generation = 0; generation < 500; generation++) {
    board.step();
    if (generation % 50 === 0) draw();
  }
  const trace = await profiler.stop();
  void fetch('/traces', { method: 'POST', body: JSON.stringify(trace) });
  result.textContent = `${trace.samples.length} samples were sent to /traces`;
});
