function isSafe(columns, row, column) {
  for (let other = 0; other < row; other++) {
    const distance = Math.abs(columns[other] - column);
    if (distance === 0 || distance === row - other) return false;
  }
  return true;
}

function placeQueens(columns, row, size) {
  if (row === size) return 1;
  let solutions = 0;
  for (let column = 0; column < size; column++) {
    if (!isSafe(columns, row, column)) continue;
    columns[row] = column;
    solutions += placeQueens(columns, row + 1, size);
  }
  return solutions;
}

function solveQueens(size) {
  return placeQueens([], 0, size);
}
