/**
 * The order of measurements. In a block each variant comes twice, mirrored (A B C C B A), so that a machine that slowly gets
 * faster or slower does so for all variants alike. Each block starts with another variant, so that none is always the first.
 * @template T
 * @param {readonly T[]} variants
 * @param {number} block counted from 0
 * @returns {T[]}
 */
export function blockOrder(variants, block) {
  const start = block % variants.length;
  const rotated = [...variants.slice(start), ...variants.slice(0, start)];
  return [...rotated, ...rotated.toReversed()];
}

/**
 * @template T
 * @param {readonly string[]} names of the variants
 * @param {number} blocks
 * @param {(name: string) => T | Promise<T>} measure
 * @param {{once?: boolean}} [options] `once`: each variant comes once in a block, enough to see that everything runs
 * @returns {Promise<Map<string, T[][]>>} by variant and block: what was measured
 */
export async function measureInBlocks(names, blocks, measure, { once = false } = {}) {
  /** @type {Map<string, T[][]>} */
  const all = new Map(names.map((name) => [name, Array.from({ length: blocks }, () => [])]));
  for (let block = 0; block < blocks; block++) {
    const order = blockOrder(names, block);
    for (const name of once ? order.slice(0, names.length) : order)
      all.get(name)?.[block].push(await measure(name));
  }
  return all;
}
