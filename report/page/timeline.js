import { element } from './element.js';

/** @import { PageProfile } from './page_data.js' */

const BARS = 240;
const SVG = 'http://www.w3.org/2000/svg';

/**
 * How busy the page was, over time; and a choice of a part of it: by dragging, or by two sliders.
 */
export class Timeline {
  #start = slider('Start of the range');
  #end = slider('End of the range');
  #chart = document.createElementNS(SVG, 'svg');
  #output = element('output');
  #onChange;
  #lengthMs = 0;

  /** @param {(fromMs: number, toMs: number) => void} onChange ms since the first sample */
  constructor(onChange) {
    this.#onChange = onChange;
    const whole = element('button', { type: 'button' }, 'Whole time');
    whole.addEventListener('click', () => this.#choose(0, 1000));
    for (const each of [this.#start, this.#end]) {
      each.input.addEventListener('input', () => this.#choose(...this.#values()));
    }
    this.#chart.setAttribute('viewBox', `0 0 ${BARS} 40`);
    this.#chart.setAttribute('preserveAspectRatio', 'none');
    this.#chart.setAttribute('role', 'img');
    this.#listen();
    this.root = element(
      'section',
      { class: 'timeline', 'aria-label': 'Time' },
      element('p', { class: 'hint' }, 'How busy the page was; drag to choose a range'),
      this.#chart,
      element('div', { class: 'range' }, this.#start.label, this.#end.label, whole, this.#output),
    );
  }

  /** @param {PageProfile} profile */
  show({ nodeOfSample, msOfSample, startMs }) {
    this.#lengthMs = msOfSample.reduce((sum, ms) => sum + ms, 0);
    this.root.hidden = startMs === null || this.#lengthMs === 0;
    // What is hidden is drawn, too.
    const length = this.#lengthMs || 1;
    const busy = new Float64Array(BARS);
    let at = 0;
    nodeOfSample.forEach((node, i) => {
      if (node >= 0) spread(busy, at, at + msOfSample[i], length);
      at += msOfSample[i];
    });
    const barMs = length / BARS;
    const heights = Array.from(busy, (ms) => 40 * (1 - ms / barMs));
    const area = document.createElementNS(SVG, 'path');
    area.setAttribute('class', 'busy');
    area.setAttribute('d', `M0 40${heights.map((y, i) => `L${i} ${y}H${i + 1}`).join('')}V40Z`);
    this.#chart.replaceChildren(area, rect(0, 0, 0, 40, 'outside'), rect(BARS, 0, 0, 40, 'outside'));
    const share = (100 * busy.reduce((sum, ms) => sum + ms, 0)) / length;
    this.#chart.setAttribute(
      'aria-label',
      `Activity over ${seconds(this.#lengthMs)}: busy ${share.toFixed(0)} %`,
    );
    this.#choose(0, 1000);
  }

  #listen() {
    let from = 0;
    const at = (/** @type {PointerEvent} */ event) => {
      const { left, width } = this.#chart.getBoundingClientRect();
      return Math.round(Math.min(1, Math.max(0, (event.clientX - left) / width)) * 1000);
    };
    this.#chart.addEventListener('pointerdown', (event) => {
      from = at(event);
      this.#chart.setPointerCapture(event.pointerId);
      event.preventDefault();
    });
    this.#chart.addEventListener('pointermove', (event) => {
      if (!this.#chart.hasPointerCapture(event.pointerId)) return;
      const to = at(event);
      if (Math.abs(to - from) > 3) this.#choose(Math.min(from, to), Math.max(from, to));
    });
  }

  /** @returns {[number, number]} thousandths */
  #values() {
    const values = [this.#start, this.#end].map(({ input }) => Number(input.value)).sort((a, b) => a - b);
    return [values[0], values[1]];
  }

  /** @param {number} from thousandths @param {number} to */
  #choose(from, to) {
    this.#start.input.value = String(from);
    this.#end.input.value = String(to);
    const [before, after] = [...this.#chart.querySelectorAll('.outside')];
    before.setAttribute('width', String((from / 1000) * BARS));
    after.setAttribute('x', String((to / 1000) * BARS));
    after.setAttribute('width', String((1 - to / 1000) * BARS));
    const [fromMs, toMs] = [from, to].map((each) => (each / 1000) * this.#lengthMs);
    const [fromText, toText] = [fromMs, toMs].map((ms) => seconds(ms, this.#lengthMs));
    this.#output.value = `${fromText} to ${toText}`;
    this.#start.input.setAttribute('aria-valuetext', fromText);
    this.#end.input.setAttribute('aria-valuetext', toText);
    this.#onChange(fromMs, to === 1000 ? Infinity : toMs);
  }
}

/** @param {string} text */
function slider(text) {
  const input = element('input', { type: 'range', min: 0, max: 1000 });
  return { input, label: element('label', {}, text, input) };
}

/** Adds a stretch of time to the bars it touches. @param {Float64Array} bars @param {number} from @param {number} to @param {number} length */
function spread(bars, from, to, length) {
  const width = length / bars.length;
  for (let i = Math.floor(from / width); i < bars.length && i * width < to; i++) {
    bars[i] += Math.max(0, Math.min(to, (i + 1) * width) - Math.max(from, i * width));
  }
}

/** @param {number} x @param {number} y @param {number} width @param {number} height @param {string} className */
function rect(x, y, width, height, className) {
  const node = document.createElementNS(SVG, 'rect');
  for (const [name, value] of Object.entries({ x, y, width, height, class: className })) {
    node.setAttribute(name, String(value));
  }
  return node;
}

/** @param {number} ms @param {number} [lengthMs] of the whole, which decides how exact it is */
function seconds(ms, lengthMs = ms) {
  return `${(ms / 1000).toFixed(lengthMs < 10_000 ? 3 : 2)} s`;
}
