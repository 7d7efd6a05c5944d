/**
 * Which functions get probes. What is left out is charged to its caller, as if it were inlined.
 *
 * @param {import('./function_record.js').FunctionRecord[]} records
 * @param {{minWeight: number}} options
 */
export function selectFunctions(records, { minWeight }) {
  for (const record of records) record.skipped = reasonToSkip(record, minWeight);
}

/**
 * @param {import('./function_record.js').FunctionRecord} record
 * @param {number} minWeight
 * @returns {string} empty: it gets probes
 */
function reasonToSkip(record, minWeight) {
  if (record.kind === 'initializer') return 'class initialiser';
  if (record.kind === 'constructor') return 'implicit constructor';
  if (record.kind === 'top' && record.node.body.length === 0) return 'empty';
  if (record.obstacle) return record.obstacle;
  if (record.mark === 'ignore') return 'ignored';
  return record.weight < minWeight && record.mark !== 'include' ? 'light' : '';
}
