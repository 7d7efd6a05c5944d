import { binds } from '../syntax/declarations.js';
import { staticKey } from '../syntax/names.js';
import { keptValue } from '../syntax/syntax.js';

/**
 * Functions that the event loop calls, or a framework: nothing with probes is around them, so without their own what runs in them would be idle time; or what is
 * around them are the framework's own functions, whose time it would be.
 *
 * @typedef {import('../syntax/parse.js').Node} Node
 * @typedef {import('./function_record.js').FunctionRecord} FunctionRecord
 * @typedef {{node: Node, leastWeight: number}} Given to the event loop or a framework, a function or not; how heavy it must
 *   be for probes if it is one
 * @typedef {Given & {here: FunctionRecord}} Callback `here`: the function around the place
 */

/** One that only calls another is what a flame graph has at its root. It is not called often. */
const OF_EVENTS = 2;

/** Of promises there are many, and most do next to nothing. */
const OF_PROMISES = 7;

/** Methods of these names are often something else. */
const OF_FRAMEWORKS = 6;

/** By the names of functions and methods that take what is called later. @type {Readonly<Record<string, number>>} */
const LEAST_WEIGHT = {
  addEventListener: OF_EVENTS,
  // Of runners of tests, as those around each test.
  afterAll: OF_EVENTS,
  afterEach: OF_EVENTS,
  beforeAll: OF_EVENTS,
  beforeEach: OF_EVENTS,
  catch: OF_PROMISES,
  // React's and Preact's, which take components.
  createElement: OF_EVENTS,
  finally: OF_PROMISES,
  forwardRef: OF_EVENTS,
  jsx: OF_EVENTS,
  jsxDEV: OF_EVENTS,
  jsxs: OF_EVENTS,
  memo: OF_EVENTS,
  postTask: OF_EVENTS,
  queueMicrotask: OF_EVENTS,
  requestAnimationFrame: OF_EVENTS,
  requestIdleCallback: OF_EVENTS,
  setImmediate: OF_EVENTS,
  setInterval: OF_EVENTS,
  setTimeout: OF_EVENTS,
  then: OF_PROMISES,
  useCallback: OF_EVENTS,
  useEffect: OF_EVENTS,
  useInsertionEffect: OF_EVENTS,
  useLayoutEffect: OF_EVENTS,
  useMemo: OF_EVENTS,
};

/** Constructors that do. */
const OBSERVER = /^(Mutation|Resize|Intersection|Performance|Reporting)Observer$/;

/** Methods of custom elements and listeners. */
const CALLED_BY_BROWSER =
  /^(connected|disconnected|attributeChanged|adopted|connectedMove)Callback$|^handleEvent$/;

/** Methods of components: of React, Vue and Angular. */
const CALLED_BY_FRAMEWORK = /^(render|setup|component(Did|Will)[A-Z]\w+|ng(On|Do|After)[A-Z]\w+)$/;

/** What people wait for: the first argument of Angular's, Svelte's, jQuery's and many other functions that take handlers. */
const EVENT =
  /^((dbl|double)?click|contextmenu|input|change|submit|reset|key(down|up|press)|(pointer|mouse|touch|drag|focus)[a-z]*|drop|blur|wheel|scroll|resize|load|error|message|popstate|hashchange|storage|online|offline)$/;

/** What takes a title, and a test or several: of Jasmine, Mocha, QUnit and Vitest, whose runners are in the page. */
const TEST = /^[fx]?(it|test|specify|bench|suite|describe|context)$/;

/** Behind a name: `it.only`. */
const KIND_OF_TEST = /^(only|skip|todo|concurrent|sequential)$/;

/** `onclick`, `onmessage`; no other word. */
const HANDLER = /^on(?!ce$|ly$)[a-z]+$/;

/** `onClick` and `onClickCapture` of React and Vue, `$$click` of Solid, `__click` of Svelte. */
const HANDLER_OF_FRAMEWORK = /^(?:on(?=[A-Z])|\$\$|__)(\w+?)(?:Capture)?$/;

/** Before a handler in a template. */
const LISTENS = /\s@[\w:.-]+=["']?$/;

/** @param {string} name of a property @returns {boolean} */
function isHandler(name) {
  const [, event = ''] = HANDLER_OF_FRAMEWORK.exec(name) ?? [];
  return HANDLER.test(name) || EVENT.test(event.toLowerCase());
}

/** @param {Node} call call or `new` @returns {Given[]} what it gives to the event loop, if it does */
export function callbacksOf({ type, callee, arguments: args }) {
  const name = nameOf(callee);
  if (type === 'NewExpression') return OBSERVER.test(name) ? given(args, OF_EVENTS) : [];
  if (Object.hasOwn(LEAST_WEIGHT, name)) return given(args, LEAST_WEIGHT[name]);
  const isOfEvent = args[0] && EVENT.test(String(staticKey(args[0])));
  return isOfEvent || isTest(name, callee, args) ? given(args, OF_EVENTS) : [];
}

/** @param {string} name of the callee @param {Node} callee @param {Node[]} args @returns {boolean} `it('adds', …)`, but not `pattern.test(text)` */
function isTest(name, { object }, [title]) {
  if (!/^(StringLiteral|TemplateLiteral|BinaryExpression)$/.test(title?.type)) return false;
  return TEST.test(object && KIND_OF_TEST.test(name) ? nameOf(object) : name);
}

/** @param {Node} tagged template @returns {Given[]} handlers, as Lit's are written: `@click=${f}` */
export function handlersInTemplate({ quasi: { quasis, expressions } }) {
  return given(
    expressions.filter((/** @type {Node} */ _, /** @type {number} */ i) => LISTENS.test(quasis[i].value.raw)),
    OF_EVENTS,
  );
}

/** @param {Node} callee @returns {string} its last name, without an underscore before it; empty if it has none */
function nameOf(callee) {
  // `(0, runtime.jsx)(…)` is a call without `this`.
  const { type, name, property } = callee.type === 'SequenceExpression' ? callee.expressions.at(-1) : callee;
  return (type === 'Identifier' ? name : (property?.name ?? '')).replace(/^_/, '');
}

/** @param {Node} assignment @returns {Given[]} what becomes a handler of events, if anything does */
export function handlersOf({ left, right }) {
  const name = left.type === 'Identifier' ? left.name : left.computed ? '' : (left.property?.name ?? '');
  return isHandler(name) ? given([right], OF_EVENTS) : [];
}

/** @param {Node} property of an object literal @returns {Given[]} what becomes a handler of events, if anything does */
export function handlersIn({ key, computed, value }) {
  return !computed && isHandler(String(key.name ?? key.value)) ? given([value], OF_EVENTS) : [];
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
    const called = bare(node);
    const record = called.type === 'Identifier' ? named(called.name, here) : byNode.get(called);
    if (record) record.weightAsEntryPoint = Math.min(leastWeight, record.weightAsEntryPoint);
  }
  for (const record of records) {
    if (!/Method$/.test(record.node.type)) continue;
    const { text } = record.name;
    if (CALLED_BY_BROWSER.test(text) || isHandler(text)) record.weightAsEntryPoint = OF_EVENTS;
    else if (CALLED_BY_FRAMEWORK.test(text)) record.weightAsEntryPoint = OF_FRAMEWORKS;
  }
}

/** @param {Node} expression @returns {Node} f, also of `f.bind(…)` */
function bare(expression) {
  const value = keptValue(expression);
  const isBound = value.type === 'CallExpression' && value.callee.property?.name === 'bind';
  return isBound ? value.callee.object : value;
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
      if (around.node.params?.some((/** @type {Node} */ param) => binds(param, name))) return undefined;
    }
    return undefined;
  };
}
