import { Component, h, options, render } from 'preact';
import { useCallback, useMemo, useState } from 'preact/hooks';
import { Digest } from './lib/digest.js';

/**
 * A preact application over a real document: a filtered, sorted table of packages in which rows are edited, and a list of things to
 * do. Many small functions, closures, and the DOM underneath.
 *
 * @typedef {{name: string, version: string, license: string, description: string, size: number}} Package size in bytes
 * @typedef {Package[]} Input
 */

/** User actions at scale 1. */
const ACTIONS = 10_000;

/** Actions between two looks at the whole document; more often, that would be most of the work. */
const CHECK_EVERY = 100;

/** Rows on screen. */
const PAGE_ROWS = 60;

/** The handlers of the application that is mounted: what a user would reach through events. @type {Record<string, Function>} */
const actions = {};

/**
 * @param {Input} input
 * @param {number} scale share of the actions to take
 * @returns {string} digest of the document, which is looked at now and then
 */
export function run(input, scale) {
  /** @type {(() => void)[]} */
  const pending = [];
  // Rendering when this loop says so, not when a timer does: that makes the work the same in every run.
  options.debounceRendering = (flush) => pending.push(flush);
  const digest = new Digest();
  const root = document.createElement('main');
  document.body.appendChild(root);
  render(h(Application, { packages: input }), root);
  const count = Math.ceil(ACTIONS * scale);
  for (let i = 1; i <= count; i++) {
    act(i, input);
    for (const flush of pending.splice(0)) flush();
    if (i % CHECK_EVERY === 0 || i === count) digest.add(root.innerHTML);
  }
  render(null, root);
  root.remove();
  return String(digest);
}

/** A fixed choice of what the user does in step i. @param {number} i @param {Input} input */
function act(i, input) {
  switch (i % 8) {
    case 0:
      return actions.sortBy(/** @type {const} */ (['name', 'size', 'license', 'version'])[(i >> 3) % 4]);
    case 1:
      return actions.search(input[(i * 7) % input.length].name.slice(0, 1 + ((i >> 3) % 3)));
    case 2:
      return actions.search('');
    case 3:
      return actions.turnPage(i % 3 === 0 ? -1 : 1);
    case 4:
      return actions.addTodo(`Read about ${input[(i * 13) % input.length].name}`);
    case 5:
      return actions.toggleTodo((i * 31) >> 2);
    case 6:
      return actions.select((i * 17) % PAGE_ROWS);
    default:
      return actions.edit((i * 5) % input.length, `edited in step ${i}`);
  }
}

/** @param {{packages: Input}} props */
function Application({ packages }) {
  return h('div', { class: 'application' }, h(PackageTable, { packages }), h(TodoList, null));
}

/** @param {{packages: Input}} props */
function PackageTable({ packages }) {
  const [rows, setRows] = useState(packages);
  const [order, setOrder] = useState(/** @type {keyof Package} */ ('name'));
  const [filter, setFilter] = useState('');
  const [page, setPage] = useState(0);
  const [selected, setSelected] = useState(-1);
  const found = useMemo(() => filterAndSort(rows, filter, order), [rows, filter, order]);
  const pages = Math.max(1, Math.ceil(found.length / PAGE_ROWS));
  const total = useMemo(() => found.reduce((sum, { size }) => sum + size, 0), [found]);

  actions.sortBy = useCallback((/** @type {keyof Package} */ key) => setOrder(key), []);
  actions.search = useCallback((/** @type {string} */ text) => setFilter(text), []);
  actions.turnPage = useCallback((/** @type {number} */ by) => setPage((now) => now + by + pages), [pages]);
  actions.select = useCallback((/** @type {number} */ row) => setSelected(row), []);
  actions.edit = useCallback((/** @type {number} */ index, /** @type {string} */ description) => {
    setRows((now) => now.map((row, i) => (i === index ? { ...row, description } : row)));
  }, []);

  const shown = found.slice((page % pages) * PAGE_ROWS, ((page % pages) + 1) * PAGE_ROWS);
  return h(
    'section',
    null,
    h('h1', null, `${found.length} packages, ${formatSize(total)}`),
    h('input', { type: 'search', value: filter }),
    h(
      'table',
      null,
      h(
        'tbody',
        null,
        shown.map((row, i) => h(Row, { key: row.name, row, selected: i === selected })),
      ),
    ),
    h('footer', null, `page ${(page % pages) + 1} of ${pages}, by ${order}`),
  );
}

/** @param {{row: Package, selected: boolean}} props */
function Row({ row, selected }) {
  return h(
    'tr',
    { class: selected ? 'selected' : '', 'data-license': row.license },
    h('td', null, h('a', { href: `#${row.name}` }, row.name)),
    h('td', null, row.version),
    h('td', { style: { width: `${Math.min(row.size / 500, 200)}px` } }, formatSize(row.size)),
    h('td', null, row.description.length > 80 ? `${row.description.slice(0, 79)}…` : row.description),
  );
}

/** @typedef {{id: number, text: string, done: boolean}} Todo */

/** The older style, a class component, is part of real applications too. */
class TodoList extends Component {
  static LIMIT = 40;

  /**
   * @override
   * @type {{next: number, todos: Todo[]}}
   */
  state = { next: 0, todos: [] };

  /** @override */
  componentDidMount() {
    actions.addTodo = (/** @type {string} */ text) =>
      this.setState((/** @type {typeof this.state} */ { next, todos }) => ({
        next: next + 1,
        todos: [{ id: next, text, done: false }, ...todos].slice(0, TodoList.LIMIT),
      }));
    actions.toggleTodo = (/** @type {number} */ id) =>
      this.setState((/** @type {typeof this.state} */ { todos }) => ({
        todos: todos.map((todo) =>
          todo.id % TodoList.LIMIT === id % TodoList.LIMIT ? { ...todo, done: !todo.done } : todo,
        ),
      }));
  }

  /** @override */
  render() {
    const { todos } = this.state;
    const open = todos.filter(({ done }) => !done).length;
    return h(
      'aside',
      null,
      h('h2', null, `${open} of ${todos.length} to do`),
      h(
        'ul',
        null,
        todos.map((todo) => h(TodoItem, { key: todo.id, todo })),
      ),
    );
  }
}

/** @param {{todo: Todo}} props */
function TodoItem({ todo }) {
  return h(
    'li',
    { class: todo.done ? 'done' : 'open' },
    h('label', null, h('input', { type: 'checkbox', checked: todo.done }), todo.text),
  );
}

/** @param {Input} rows @param {string} filter @param {keyof Package} order @returns {Input} */
function filterAndSort(rows, filter, order) {
  const needle = filter.toLowerCase();
  return rows
    .filter(({ name, description }) => name.includes(needle) || description.toLowerCase().includes(needle))
    .sort((a, b) => compare(a[order], b[order]) || compare(a.name, b.name));
}

/** @param {string | number} a @param {string | number} b */
function compare(a, b) {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** @param {number} bytes */
function formatSize(bytes) {
  return bytes < 1024 ? `${bytes} B` : `${(bytes / 1024).toFixed(1)} kB`;
}
