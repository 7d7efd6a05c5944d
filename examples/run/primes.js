function isPrime(n) {
  for (let d = 2; d * d <= n; d++) if (n % d === 0) return false;
  return n > 1;
}

function countPrimes(below) {
  let count = 0;
  for (let n = 0; n < below; n++) if (isPrime(n)) count++;
  return count;
}

document.querySelector('button').onclick = function onClick() {
  document.querySelector('output').textContent = countPrimes(3_000_000);
};
