/** A board that is a torus. */
export class Board {
  readonly size: number;
  #cells: Uint8Array;

  constructor(size: number) {
    this.size = size;
    this.#cells = new Uint8Array(size * size).map((_, i) => Number((i * 2654435761) % 7 < 2));
  }

  isAlive(x: number, y: number): boolean {
    return this.#cells[y * this.size + x] === 1;
  }

  step(): void {
    const next = new Uint8Array(this.#cells.length);
    for (let y = 0; y < this.size; y++) {
      for (let x = 0; x < this.size; x++) {
        const neighbours = this.#neighbours(x, y);
        next[y * this.size + x] = Number(neighbours === 3 || (neighbours === 2 && this.isAlive(x, y)));
      }
    }
    this.#cells = next;
  }

  #neighbours(x: number, y: number): number {
    const { size } = this;
    const cells = this.#cells;
    let count = 0;
    for (let dy = size - 1; dy <= size + 1; dy++) {
      const row = ((y + dy) % size) * size;
      for (let dx = size - 1; dx <= size + 1; dx++) count += cells[row + ((x + dx) % size)];
    }
    return count - cells[y * size + x];
  }
}
