function isSafe(queens, row, column) {
  const attackers = queens.filter(
    (queen) => queen.column === column || Math.abs(queen.column - column) === row - queen.row,
  );
  return attackers.length === 0;
}

function placeQueens(queens, row, size) {
  if (row === size) return 1;
  let solutions = 0;
  for (let column = 0; column < size; column++) {
    if (!isSafe(queens, row, column)) continue;
    solutions += placeQueens([...queens, { row, column }], row + 1, size);
  }
  return solutions;
}

function solveQueens(size) {
  return placeQueens([], 0, size);
}
