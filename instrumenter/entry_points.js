/**
 * Functions that the event loop calls: nothing with probes is around them, so without their own what runs in them would be idle time.
 *
 * @typedef {import('./parse.js').Node} Node
 * @typedef {import('./function_record.js').FunctionRecord} FunctionRecord
 * @typedef {{node: Node, leastWeight: number}} Given to the event loop, a function or not; how heavy it must be for probes if it is one
 * @typedef {Given & {here: FunctionRecord}} Callback `here`: the function around the place
 */

/** One that only calls another is what a flame graph has at its root. It is not called often. */
const OF_EVENTS = 2;

/** Of promises there are many, and most do next to nothing. */
const OF_PROMISES = 6;

/** By the names of functions and methods that take what is called later. @type {Readonly<Record<string, number>>} */
const LEAST_WEIGHT = {
  addEventListener: OF_EVENTS,
  catch: OF_PROMISES,
  finally: OF_PROMISES,
  postTask: OF_EVENTS,
  queueMicrotask: OF_EVENTS,
  requestAnimationFrame: OF_EVENTS,
  requestIdleCallback: OF_EVENTS,
  setImmediate: OF_EVENTS,
  setInterval: OF_EVENTS,
  setTimeout: OF_EVENTS,
  then: OF_PROMISES,
};

/** Constructors that do. */
const OBSERVER = /^(Mutation|Resize|Intersection|Performance|Reporting)Observer$/;

/** Methods of elements and listeners that browsers call. */
const CALLED_BY_BROWSER =
  /^(connected|disconnected|attributeChanged|adopted|connectedMove)Callback$|^handleEvent$/;

/** `onclick`, `onmessage`; no other word. */
const HANDLER = /^on(?!ce$|ly$)[a-z]+$/;

/** @param {Node} call call or `new` @returns {Given[]} what it gives to the event loop, if it does */
export function callbacksOf({ type, callee, arguments: args }) {
  const name = callee.type === 'Identifier' ? callee.name : callee.property?.name;
  if (type === 'NewExpression') return OBSERVER.test(name) ? given(args, OF_EVENTS) : [];
  return Object.hasOwn(LEAST_WEIGHT, name) ? given(args, LEAST_WEIGHT[name]) : [];
}

/** @param {Node} assignment @returns {Given[]} what becomes a handler of events, if anything does */
export function handlersOf({ left, right }) {
  const name = left.type === 'Identifier' ? left.name : !left.computed && left.property?.name;
  return HANDLER.test(name) ? given([right], OF_EVENTS) : [];
}

/** @param {Node[]} nodes @param {number} leastWeight @returns {Given[]} */
function given(nodes, leastWeight) {
  return nodes.map((node) => ({ node, leastWeight }));
}

/**
 * Says to the functions' records how heavy they must be.
 * @param {Callback[]} callbacks
 * @param {FunctionRecord[]} records of the whole script
 */
export function markEntryPoints(callbacks, records) {
  const byNode = new Map(records.map((record) => [record.node, record]));
  const named = functionsByName(records);
  for (const { node, leastWeight, here } of callbacks) {
    const called = unbound(node);
    const record = called.type === 'Identifier' ? named(called.name, here) : byNode.get(called);
    if (record) record.weightAsEntryPoint = Math.min(leastWeight, record.weightAsEntryPoint);
  }
  for (const record of records) {
    if (/Method$/.test(record.node.type) && CALLED_BY_BROWSER.test(record.name.text))
      record.weightAsEntryPoint = OF_EVENTS;
  }
}

/** @param {Node} expression @returns {Node} f, of `f.bind(…)` */
function unbound(expression) {
  const isBound = expression.type === 'CallExpression' && expression.callee.property?.name === 'bind';
  return isBound ? expression.callee.object : expression;
}

/**
 * By their names, and not by scopes, which would take long in big scripts: a wrong function gets probes that it need not have.
 * @param {FunctionRecord[]} records
 * @returns {(name: string, here: FunctionRecord) => FunctionRecord | undefined} the nearest one, as seen from inside a function
 */
function functionsByName(records) {
  /** @type {Map<FunctionRecord | null, Map<string, FunctionRecord>>} by the function around */
  const inside = new Map();
  for (const record of records) {
    if (record.kind !== 'function' || /Method$/.test(record.node.type)) continue;
    const siblings = inside.get(record.parent) ?? new Map();
    inside.set(record.parent, siblings.set(record.name.text, record));
  }
  return (name, here) => {
    for (let around = /** @type {FunctionRecord | null} */ (here); around; around = around.parent) {
      const found = inside.get(around)?.get(name);
      if (found) return found;
    }
    return undefined;
  };
}
