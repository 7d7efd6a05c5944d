/**
 * Which functions get probes. What is left out is charged to its caller, as if it were inlined.
 *
 * @param {import('./function_record.js').FunctionRecord[]} records
 * @param {{minWeight: number, probe: string, selectsAt?: (offset: number) => boolean}} options
 */
export function selectFunctions(records, { minWeight, probe, selectsAt }) {
  for (const record of records) {
    record.skipped = reasonToSkip(record, minWeight);
    if (!record.skipped && selectsAt && record.kind !== 'top' && !selectsAt(record.name.at)) {
      record.skipped = 'excluded';
    }
    if (probe === 'shadow' && /^(light|excluded)$/.test(record.skipped)) keepDepth(record);
  }
  // The top level of a chunk has code of many sources: it goes with them.
  const [top, ...functions] = records;
  const isExcluded = functions.some(({ skipped }) => skipped === 'excluded');
  if (isExcluded && !top.skipped && !functions.some(({ probed }) => probed)) top.skipped = 'excluded';
}

/**
 * Where exceptions end, the depth of the shadow stack has to be right again, whatever the function weighs. One that may be
 * suspended would have to find it anew whenever it goes on: it is entered and left all the same.
 * @param {import('./function_record.js').FunctionRecord} record
 */
function keepDepth(record) {
  const rejects = record.kind === 'function' && record.node.async && record.weight > 0;
  if (!rejects && record.recoveries.length === 0) return;
  if (record.maySuspend) record.skipped = '';
  else record.heals = true;
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
