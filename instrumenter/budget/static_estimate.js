import { choose } from './choose.js';
import { ownWork } from './own_work.js';
import { warmCostUs } from './probe_costs.js';

/** @typedef {import('../functions/function_record.js').FunctionRecord} FunctionRecord */

/** Calls go down the program from functions that anybody may call; so deep, and no deeper, loops multiply. */
const LEVELS = 6;
const MOST_CALLS = 1e6;

/** What a call takes that leads out of the script, to a built-in function mostly, ns. */
const NS_OUTSIDE = 50;

/**
 * Without a calibration: who is called how often and how long that takes, guessed from the text. Functions of one name share the calls of
 * that name.
 * @param {FunctionRecord[]} records
 * @returns {{record: FunctionRecord, calls: number, selfUs: number}[]} calls and time while each function is called once from outside
 */
export function staticEstimate(records) {
  const functions = records.filter(({ kind }) => kind === 'function' || kind === 'top');
  /** @type {Map<string, number[]>} */
  const byName = new Map();
  functions.forEach(({ name }, index) => {
    const key = (name.text || name.hint || '').replace(/^(get|set) /, '');
    const known = byName.get(key);
    if (known) known.push(index);
    else byName.set(key, [index]);
  });
  byName.delete('');
  const byNode = new Map(functions.map(({ node }, index) => [node, index]));

  /** @type {number[]} */
  const ns = [];
  /** @type {{to: number, times: number}[][]} */
  const edges = [];
  for (const { node } of functions) {
    const work = ownWork(node);
    const callees = [];
    let outside = 0;
    for (const { name, times } of work.calls) {
      const targets = byName.get(name) ?? [];
      if (targets.length === 0) outside += times;
      for (const to of targets) callees.push({ to, times: times / targets.length });
    }
    for (const callback of work.callbacks) {
      const to = byNode.get(callback.node);
      if (to !== undefined) callees.push({ to, times: callback.times });
    }
    ns.push(work.ns + outside * NS_OUTSIDE);
    edges.push(callees);
  }

  let calls = functions.map(() => 1);
  for (let level = 0; level < LEVELS; level++) {
    const next = functions.map(() => 1);
    edges.forEach((callees, from) => {
      for (const { to, times } of callees) next[to] = Math.min(MOST_CALLS, next[to] + calls[from] * times);
    });
    calls = next;
  }
  return functions.map((record, i) => ({ record, calls: calls[i], selfUs: (calls[i] * ns[i]) / 1000 }));
}

/**
 * @param {{budget: number, probe: string, minWeight: number}} options
 * @returns {import('./decide.js').Decide} says no to functions that would cost too much, and leaves the others to their weight
 */
export function decideByText({ budget, probe, minWeight }) {
  return (records) => {
    const estimates = staticEstimate(records);
    const busyUs = estimates.reduce((sum, { selfUs }) => sum + selfUs, 0);
    const candidates = estimates.filter(({ record }) => record.weight >= minWeight);
    // How often the program is run, nobody knows.
    const { out, quiet } = choose(candidates, { budget, probe, busyUs, cost: warmCostUs });
    for (const { record } of out) record.affordable = false;
    for (const { record } of quiet) record.quiet = true;
  };
}
