import { shortFile } from '../traces/location.js';
import { element } from './element.js';
import { shareOf } from './model.js';

/** @import { Amount, Row } from './model.js' */
/** @import { PageProfile } from './page_data.js' */

/** Down a chain of single calls, so far a table opens by itself. */
const OPEN_LEVELS = 30;

/** Rows of one level that are shown at first, and with each further wish. */
const ROWS = 100;

/** @type {Amount} */
const NOTHING = { ms: 0, samples: 0 };

/**
 * @typedef {object} Column
 * @property {string} title
 * @property {string} explanation
 * @property {(row: Row, table: TreeTable) => string} text
 * @property {(row: Row, table: TreeTable) => number | string} key to sort by
 * @property {boolean} [isDetail] left out where there is little room
 */

/** @param {(row: Row) => Amount | null} of @param {string} title @param {string} explanation @returns {Column[]} */
const amountColumns = (of, title, explanation) => [
  {
    title: `${title} %`,
    explanation: `${explanation}, as a share of the time that was not idle`,
    text: (row, { busy }) => withAmount(of(row), (amount) => (100 * shareOf(amount, busy)).toFixed(1)),
    key: (row, { busy }) => shareOf(of(row) ?? NOTHING, busy),
  },
  {
    title: `${title} ms`,
    explanation: `${explanation}, in milliseconds`,
    text: (row) => withAmount(of(row), ({ ms }) => ms.toLocaleString('en', { maximumFractionDigits: 1 })),
    key: (row) => of(row)?.ms ?? 0,
    isDetail: true,
  },
];

/** @type {Column[]} */
const COLUMNS = [
  ...amountColumns((row) => row.self, 'Self', 'Time in the function itself'),
  ...amountColumns((row) => row.total, 'Total', 'Time in the function and all that it called'),
  {
    title: 'Samples',
    explanation: 'Samples in the function itself',
    text: ({ self }) => self.samples.toLocaleString('en'),
    key: ({ self }) => self.samples,
    isDetail: true,
  },
];

/** @type {Column[]} */
const TEXT_COLUMNS = [
  {
    title: 'Function',
    explanation: 'Name of the function',
    text: ({ functionId }, { profile }) => profile.functions[functionId].name,
    key: ({ functionId }, { profile }) => profile.functions[functionId].name.toLowerCase(),
  },
  {
    title: 'Where',
    explanation: 'Where the function is defined',
    text: ({ functionId }, { profile }) => profile.functions[functionId].place,
    key: ({ functionId }, { profile }) => profile.functions[functionId].place,
  },
];

const ALL = [...COLUMNS, ...TEXT_COLUMNS];

/** A table of rows that may be opened; its head sorts. */
export class TreeTable {
  /** @type {PageProfile} */
  profile;
  busy = NOTHING;
  #body = element('tbody');
  #heads;
  #sortedBy = ALL[0];
  #isDescending = true;
  /** @type {Row[]} */
  #rows = [];

  /** @param {PageProfile} profile @param {string} caption */
  constructor(profile, caption) {
    this.profile = profile;
    this.#heads = ALL.map((column) => {
      const button = element(
        'button',
        { type: 'button', title: `${column.explanation}. Sort.` },
        column.title,
      );
      button.addEventListener('click', () => this.#sortBy(column));
      return element('th', { scope: 'col', class: classOf(column) }, button);
    });
    this.caption = element('caption', {}, caption);
    this.root = element(
      'table',
      {},
      this.caption,
      element('thead', {}, element('tr', {}, ...this.#heads)),
      this.#body,
    );
  }

  /** @param {Row[]} rows @param {{profile: PageProfile, busy: Amount, caption: string}} facts */
  show(rows, { profile, busy, caption }) {
    this.#rows = rows;
    this.profile = profile;
    this.busy = busy;
    this.caption.textContent = caption;
    this.#draw();
  }

  /** @param {'Self %' | 'Total %'} title of the column that the next `show` sorts by, the largest at the top */
  sortFor(title) {
    this.#sortedBy = ALL.find((column) => column.title === title) ?? ALL[0];
    this.#isDescending = true;
  }

  /** @param {Column} column */
  #sortBy(column) {
    this.#isDescending = this.#sortedBy === column ? !this.#isDescending : !TEXT_COLUMNS.includes(column);
    this.#sortedBy = column;
    this.#draw();
  }

  #draw() {
    this.#heads.forEach((head, i) => {
      const order = this.#isDescending ? 'descending' : 'ascending';
      head.setAttribute('aria-sort', ALL[i] === this.#sortedBy ? order : 'none');
    });
    this.#body.replaceChildren(...this.#level(this.#rows, 1));
    if (this.#rows.length === 0) {
      this.#body.append(
        element('tr', {}, element('td', { colspan: ALL.length }, 'Nothing ran in this time.')),
      );
    }
    this.#openChain();
  }

  /** Where there is one row only, what it is about comes further down. */
  #openChain() {
    for (let level = 1; level <= OPEN_LEVELS; level++) {
      const lines = this.#body.querySelectorAll(`[data-level="${level}"]`);
      const opener = /** @type {HTMLElement | null} */ (lines[0]?.querySelector('.opener'));
      if (lines.length !== 1 || !opener) return;
      opener.click();
    }
  }

  /** @param {Row[]} rows @param {number} level @returns {HTMLElement[]} */
  #level(rows, level) {
    return this.#part(this.#sorted(rows), level, 0);
  }

  /** @param {Row[]} rows sorted @param {number} level @param {number} from @returns {HTMLElement[]} */
  #part(rows, level, from) {
    const shown = rows.slice(from, from + ROWS).map((row) => this.#row(row, level));
    const left = rows.length - from - ROWS;
    if (left <= 0) return shown;
    const button = element('button', { type: 'button', class: 'more' }, `${left.toLocaleString('en')} more`);
    const line = element('tr', { 'data-level': level }, element('td', { colspan: ALL.length }, button));
    button.addEventListener('click', () => {
      const next = this.#part(rows, level, from + ROWS);
      line.replaceWith(...next);
      next[0].querySelector('button')?.focus();
    });
    return [...shown, line];
  }

  /** @param {Row} row @param {number} level */
  #row(row, level) {
    const numbers = COLUMNS.map((column) =>
      element('td', { class: classOf(column) }, column.text(row, this)),
    );
    const [name, place] = TEXT_COLUMNS.map((column) => column.text(row, this));
    const cell = element('th', { scope: 'row', class: 'name', style: `--level: ${level}` });
    const line = element(
      'tr',
      { 'data-level': level },
      ...numbers,
      cell,
      element('td', { class: 'place', title: place }, element('bdi', {}, shortFile(place))),
    );
    if (row.hasChildren) cell.append(this.#opener(row, line, level, name));
    else cell.append(element('span', { class: 'leaf', title: name }, name));
    return line;
  }

  /** @param {Row} row @param {HTMLElement} line @param {number} level @param {string} name */
  #opener(row, line, level, name) {
    const button = element(
      'button',
      { type: 'button', 'aria-expanded': 'false', class: 'opener', title: name },
      name,
    );
    button.addEventListener('click', () => {
      const isOpen = button.getAttribute('aria-expanded') === 'true';
      button.setAttribute('aria-expanded', String(!isOpen));
      if (isOpen) close(line, level);
      else line.after(...this.#level(row.children(), level + 1));
    });
    return button;
  }

  /** @param {Row[]} rows */
  #sorted(rows) {
    const { key } = this.#sortedBy;
    const sign = this.#isDescending ? -1 : 1;
    return rows
      .map((row) => ({ row, key: key(row, this) }))
      .sort((a, b) => (a.key < b.key ? -sign : a.key > b.key ? sign : b.row.self.ms - a.row.self.ms))
      .map(({ row }) => row);
  }
}

/** @param {Column} column @returns {string | null} of its cells */
function classOf(column) {
  if (!COLUMNS.includes(column)) return null;
  return column.isDetail ? 'number detail' : 'number';
}

/** Takes away the lines below one. @param {HTMLElement} line @param {number} level */
function close(line, level) {
  for (let next = line.nextElementSibling; next; next = line.nextElementSibling) {
    if (Number(/** @type {HTMLElement} */ (next).dataset.level) <= level) return;
    next.remove();
  }
}

/** @param {Amount | null} amount @param {(amount: Amount) => string} text */
function withAmount(amount, text) {
  return amount ? text(amount) : '';
}
