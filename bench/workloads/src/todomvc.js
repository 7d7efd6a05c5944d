import { createElement as h, memo, useReducer } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { Digest } from '../../../examples/workloads/lib/digest.js';

/**
 * TodoMVC in React over a real document, driven for thousands of steps: things to do are added, ticked off, edited, filtered, removed. Most of
 * the time goes to the DOM and to React's reconciler.
 *
 * @typedef {{id: number, title: string, done: boolean}} Todo
 * @typedef {{next: number, filter: 'all' | 'active' | 'completed', todos: Todo[]}} State
 * @typedef {{type: string, at?: number, title?: string, filter?: State['filter']}} Action
 */

/** Steps at scale 1. */
const STEPS = 6000;
const MOST_TODOS = 100;

/** @param {unknown} _input @param {number} scale share of the steps @returns {string} digest of the document now and then */
export function run(_input, scale) {
  const digest = new Digest();
  const container = document.body.appendChild(document.createElement('section'));
  const root = createRoot(container);
  flushSync(() => root.render(h(App)));
  const steps = Math.ceil(STEPS * scale);
  for (let step = 1; step <= steps; step++) {
    flushSync(() => send(actionOf(step)));
    if (step % 200 === 0 || step === steps) digest.add(container.innerHTML);
  }
  flushSync(() => root.unmount());
  container.remove();
  return String(digest);
}

/** What the user does in a step, always the same. @param {number} step @returns {Action} */
function actionOf(step) {
  switch (step % 6) {
    case 0:
      return { type: 'toggle', at: step * 7 };
    case 1:
    case 2:
      return { type: 'add', title: `step ${step}` };
    case 3:
      return { type: 'edit', at: step * 3, title: `edited in ${step}` };
    case 4:
      return {
        type: 'filter',
        filter: /** @type {const} */ (['all', 'active', 'all', 'completed'])[(step >> 3) % 4],
      };
    default:
      return step % 60 === 5 ? { type: 'toggle all' } : { type: 'remove', at: step * 5 };
  }
}

/** @type {(action: Action) => void} */
let send;

/** @param {State} state @param {Action} action @returns {State} */
function reduce(state, { type, at = 0, title = '', filter = 'all' }) {
  const { todos, next } = state;
  const index = at % Math.max(1, todos.length);
  /** @param {Partial<Todo>} by */
  const change = (by) => ({
    ...state,
    todos: todos.map((todo, i) => (i === index ? { ...todo, ...by } : todo)),
  });
  switch (type) {
    case 'add':
      return {
        ...state,
        next: next + 1,
        todos: [...todos, { id: next, title, done: false }].slice(-MOST_TODOS),
      };
    case 'toggle':
      return change({ done: !todos[index]?.done });
    case 'edit':
      return change({ title });
    case 'remove':
      return { ...state, todos: todos.filter((_, i) => i !== index) };
    case 'toggle all':
      return { ...state, todos: todos.map((todo) => ({ ...todo, done: !todos.every(({ done }) => done) })) };
    default:
      return { ...state, filter };
  }
}

function App() {
  const [{ todos, filter }, dispatch] = useReducer(reduce, { next: 1, filter: 'all', todos: [] });
  send = dispatch;
  const shown = todos.filter(({ done }) => filter === 'all' || done === (filter === 'completed'));
  const left = todos.filter(({ done }) => !done).length;
  return h(
    'div',
    { className: 'todoapp' },
    h('h1', null, 'todos'),
    h(
      'ul',
      { className: 'todo-list' },
      shown.map((todo) => h(Item, { key: todo.id, todo })),
    ),
    h('footer', null, h('strong', null, left), ` ${left === 1 ? 'item' : 'items'} left, ${filter}`),
  );
}

const Item = memo(
  /** @param {{todo: Todo}} props */
  ({ todo: { title, done } }) =>
    h(
      'li',
      { className: done ? 'completed' : '' },
      h('input', { type: 'checkbox', checked: done, readOnly: true, 'aria-label': title }),
      h('label', null, title),
      h('button', { className: 'destroy', 'aria-label': 'remove' }),
    ),
);
