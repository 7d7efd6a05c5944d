import { element } from './element.js';
import { showFlameGraph } from './flame_graph.js';
import { Model } from './model.js';
import { Timeline } from './timeline.js';
import { TreeTable } from './tree_table.js';

/** @import { PageData, PageProfile } from './page_data.js' */

/** The report's summary page. */

/** @type {PageData} */
const { profiles } = JSON.parse(document.getElementById('profiles')?.textContent ?? '');
const main = /** @type {HTMLElement} */ (document.querySelector('main'));
const flame = /** @type {HTMLElement} */ (document.getElementById('flame'));

/** @type {PageProfile} */
let profile = profiles[0];
/** @type {'bottomUp' | 'topDown'} */
let view = 'bottomUp';
let range = { fromMs: 0, toMs: Infinity };

const VIEWS = {
  bottomUp: {
    name: 'Bottom up',
    caption: 'Functions and their own time; open one to see its callers',
    sortedBy: /** @type {const} */ ('Self %'),
  },
  topDown: {
    name: 'Top down',
    caption: 'Calls from the outside; open one to see what it called',
    sortedBy: /** @type {const} */ ('Total %'),
  },
};

const facts = element('dl', { class: 'facts' });
const table = new TreeTable(profile, '');
const timeline = new Timeline((fromMs, toMs) => {
  range = { fromMs, toMs };
  showTable();
});

function showTable() {
  const { msOfSample } = profile;
  const starts = startsOf(msOfSample);
  const model = new Model(profile, (i) => starts[i] >= range.fromMs && starts[i] < range.toMs);
  table.show(model[view](), { profile, busy: model.busy, caption: VIEWS[view].caption });
}

function showProfile() {
  facts.replaceChildren(
    ...profile.facts.map(([label, text]) =>
      element('div', {}, element('dt', {}, label), element('dd', {}, text)),
    ),
  );
  timeline.show(profile);
}

/** @param {number[]} lengths @returns {number[]} */
function startsOf(lengths) {
  let end = 0;
  return lengths.map((length) => (end += length) - length);
}

function profileChoice() {
  const select = element(
    'select',
    {},
    ...profiles.map(({ name }, i) => element('option', { value: i }, name)),
  );
  select.addEventListener('change', () => {
    profile = profiles[Number(select.value)];
    showProfile();
  });
  return element('label', { class: 'choice' }, 'Trace ', select);
}

function viewChoice() {
  const legend = element('legend', {}, 'Table');
  const choices = Object.entries(VIEWS).map(([key, { name }]) => {
    const input = element('input', { type: 'radio', name: 'view', value: key, checked: key === view });
    input.addEventListener('change', () => {
      view = /** @type {typeof view} */ (key);
      table.sortFor(VIEWS[view].sortedBy);
      showTable();
    });
    return element('label', {}, input, name);
  });
  return element('fieldset', {}, legend, ...choices);
}

/** @param {boolean} isFlame */
function showPart(isFlame) {
  main.hidden = isFlame;
  flame.hidden = !isFlame;
  for (const button of document.querySelectorAll('nav button')) {
    button.setAttribute('aria-pressed', String((button.id === 'show-flame') === isFlame));
  }
  if (isFlame) showFlameGraph(flame, profiles);
}

document.getElementById('show-summary')?.addEventListener('click', () => showPart(false));
document.getElementById('show-flame')?.addEventListener('click', () => showPart(true));
main.append(
  ...(profiles.length > 1 ? [profileChoice()] : []),
  facts,
  timeline.root,
  viewChoice(),
  element('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Functions' }, table.root),
);
showProfile();
