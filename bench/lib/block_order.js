/**
 * The order of visits. In a block each variant is visited twice, mirrored (A B C C B A), so that a machine that slowly gets
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
