/**
 * Which functions get probes. What is left out is charged to its caller, as if it were inlined.
 *
 * @param {import('./function_record.js').FunctionRecord[]} records
 * @param {{minWeight: number, probe: string, exclusionOf?: (record: import('./function_record.js').FunctionRecord) => string}} options `exclusionOf`: why
 *   functions of the source that this one is from have no probes; empty: they may. A function that a budget has decided on (`affordable`) is chosen by that
 *   and not by its weight
 */
export function selectFunctions(records, { minWeight, probe, exclusionOf }) {
  const generatorsReject = records.some(stepsGenerators);
  for (const record of records) {
    const exclusion = record.kind === 'top' ? undefined : exclusionOf?.(record);
    record.skipped = reasonToSkip(record, minWeight, exclusion);
    if (probe === 'shadow' && /^(light|excluded|budget)$/.test(record.skipped))
      keepDepth(record, generatorsReject);
  }
  // The top level of a chunk has code of many sources: it goes with them.
  const [top, ...functions] = records;
  const excluded = functions.find(({ skipped }) => /^(excluded|polyfill)$/.test(skipped));
  if (excluded && !top.skipped && !functions.some(({ probed }) => probed)) top.skipped = excluded.skipped;
}

/**
 * Where exceptions end, the depth of the shadow stack has to be right again, whatever the function weighs. One that may be
 * suspended would have to find it anew whenever it goes on: it is entered and left all the same.
 * @param {import('./function_record.js').FunctionRecord} record
 * @param {boolean} generatorsReject what ends a generator may become a rejection, as it does with async functions
 */
function keepDepth(record, generatorsReject) {
  const { kind, node, weight } = record;
  const rejects = kind === 'function' && (node.async || (node.generator && generatorsReject)) && weight > 0;
  if (!rejects && record.recoveries.length === 0) return;
  if (record.maySuspend) record.skipped = '';
  else record.heals = true;
}

/** Does it step any iterator as an async one: by `for await`, or by the `yield*` of an async generator? @param {import('./function_record.js').FunctionRecord} record */
function stepsGenerators({ points, delegates, node }) {
  return (delegates && node.async) || points.some(({ kind }) => kind === 'for await');
}

/**
 * @param {import('./function_record.js').FunctionRecord} record
 * @param {number} minWeight
 * @param {string} [exclusion] of its source
 * @returns {string} empty: it gets probes
 */
function reasonToSkip(record, minWeight, exclusion) {
  // Nobody's code, so that nothing else of it counts.
  if (exclusion === 'polyfill') return exclusion;
  if (record.kind === 'initializer') return 'class initialiser';
  if (record.kind === 'constructor') return 'implicit constructor';
  if (record.kind === 'top' && record.node.body.length === 0) return 'empty';
  if (record.obstacle) return record.obstacle;
  if (record.mark === 'ignore') return 'ignored';
  if (exclusion) return exclusion;
  if (record.mark === 'include') return '';
  if (record.affordable !== null) return record.affordable ? '' : 'budget';
  return record.weight < Math.min(minWeight, record.weightAsEntryPoint) ? 'light' : '';
}
