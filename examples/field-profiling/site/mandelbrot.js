const STEPS = 200;
const PAUSE_MS = 30;

/** A row of pixels, each by the steps that it takes to escape. */
function drawRow(pixels, row, width, left, top, size) {
  for (let column = 0; column < width; column++) {
    const x = left + size * column;
    const y = top + size * row;
    let re = 0;
    let im = 0;
    let step = 0;
    for (; re * re + im * im < 4 && step < STEPS; step++) {
      const next = re * re - im * im + x;
      im = 2 * re * im + y;
      re = next;
    }
    pixels[row * width + column] = 0xff000000 | ((step * 0x010307) & 0xffffff);
  }
}

function drawFrame(context, zoom) {
  const { width, height } = context.canvas;
  const image = context.createImageData(width, height);
  const pixels = new Uint32Array(image.data.buffer);
  const size = 3 / width / zoom;
  for (let row = 0; row < height; row++) {
    drawRow(pixels, row, width, -0.745 - (size * width) / 2, 0.113 - (size * height) / 2, size);
  }
  context.putImageData(image, 0, 0);
}

function zoomForever(canvas, zoom = 1) {
  drawFrame(canvas.getContext('2d'), zoom);
  setTimeout(() => zoomForever(canvas, zoom > 1e4 ? 1 : zoom * 1.05), PAUSE_MS);
}
