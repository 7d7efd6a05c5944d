/**
 * Programs that end, made from a list of numbers: each number decides between the possibilities at one place, 0 being the plainest.
 *
 * A function calls only those that were declared before it, and loops are counted. Each function says `w('its name')` where it
 * works, and `log` writes down values. Statements are separated by line ends only, so that automatic semicolons are at work.
 *
 * @typedef {object} Place what may stand here
 * @property {string} name of the function around
 * @property {boolean} async
 * @property {boolean} generator
 * @property {number} callable functions below this number may be called
 * @property {number} depth left
 * @property {string[]} breaks labels that a `break` may name
 * @property {string[]} continues labels that a `continue` may name
 * @property {string} variable that is there
 * @property {boolean} isConstructor
 */

/** @param {number[]} choices @param {{throws: boolean}} options with exceptions? @returns {string} */
export function randomProgram(choices, { throws }) {
  return new RandomProgram(choices, throws).text();
}

const KINDS = [
  'function',
  'async function',
  'function*',
  'async function*',
  'arrow',
  'async arrow',
  'method',
  'class',
];

class RandomProgram {
  #at = 0;
  #end = 1;
  #labels = 0;
  /** @type {string[]} kinds of the functions so far */
  #functions = [];

  /** @param {number[]} choices @param {boolean} throws */
  constructor(choices, throws) {
    this.choices = choices;
    this.throws = throws;
  }

  text() {
    const lines = ['var fuel = 60, o'];
    const count = 2 + this.#pick(5);
    const share = Math.ceil(this.choices.length / (count + 1));
    for (let n = 0; n < count; n++) {
      this.#continueAt(1 + n * share, share);
      lines.push(this.#declaration(n));
    }
    this.#continueAt(1 + count * share, share);
    /** @type {Place} */
    const top = {
      name: 'top',
      async: false,
      generator: false,
      callable: count,
      depth: 2,
      breaks: [],
      continues: [],
      variable: 'fuel',
      isConstructor: false,
    };
    for (let n = 0; n < count; n++) lines.push(this.#guarded(this.#call(n, top)));
    lines.push(this.#guarded(this.#expression(top)), 'void 0');
    return lines.join('\n');
  }

  /** Each function has its own share, or the first would use them up. @param {number} at @param {number} share of the choices */
  #continueAt(at, share) {
    this.#at = at;
    this.#end = at + share;
  }

  /** @param {number} below @returns {number} from 0 */
  #pick(below) {
    return this.#at < this.#end ? (this.choices[this.#at++] ?? 0) % below : 0;
  }

  /** @template T @param {T[]} items @returns {T} */
  #one(items) {
    return items[this.#pick(items.length)];
  }

  /** @param {string} expression */
  #guarded(expression) {
    return this.throws
      ? `try { log(${expression}) } catch (e) { log('top caught', e) }`
      : `log(${expression})`;
  }

  /** @param {number} n @returns {string} */
  #declaration(n) {
    const kind = this.#one(KINDS);
    const name = `f${n}`;
    /** @type {Place} */
    const place = {
      name,
      async: kind.startsWith('async'),
      generator: kind.endsWith('*'),
      callable: n,
      depth: 4,
      breaks: [],
      continues: [],
      variable: 'v',
      isConstructor: kind === 'class',
    };
    const parameters = this.#one(['p', 'p = 7', '{ p } = { p: 3 }, ...rest', 'p, q = p']);
    const directive = parameters === 'p' ? this.#one(['', "'use strict'\n"]) : '';
    const fuel =
      place.generator || place.async || place.isConstructor
        ? 'if (fuel-- < 0) return'
        : 'if (fuel-- < 0) return 0';
    const body = `{ ${directive}var v = 1\n${fuel}\n${this.#statements(place)} }`;
    this.#functions.push(kind);
    switch (kind) {
      case 'arrow':
        return `const ${name} = (${parameters}) => ${this.#pick(2) ? body : this.#expression({ ...place, variable: 'p' })}`;
      case 'async arrow':
        return `const ${name} = async (${parameters}) => ${body}`;
      case 'method':
        return `const o${n} = { ${name}(${parameters}) ${body} }`;
      case 'class':
        return `class ${name} { constructor(${parameters}) ${body} }`;
      default:
        return `${kind} ${name}(${parameters}) ${body}`;
    }
  }

  /** @param {Place} place @returns {string} */
  #statements(place) {
    const count = 1 + this.#pick(3);
    return Array.from({ length: count }, () => this.#statement(place)).join('\n');
  }

  /** @param {Place} place @returns {string} */
  #statement(place) {
    if (place.depth === 0) return this.#one([`w('${place.name}')`, `log('${place.name}', v)`]);
    const inner = { ...place, depth: place.depth - 1 };
    const e = () => this.#expression(inner);
    const block = (/** @type {Partial<Place>} */ more = {}) =>
      `{ ${this.#statements({ ...inner, ...more })} }`;
    const body = (/** @type {Partial<Place>} */ more = {}) =>
      this.#pick(2) ? block(more) : `\n${this.#statement({ ...inner, ...more })}\n`;
    switch (this.#pick(17)) {
      case 1:
        return `v = ${e()}`;
      case 2:
        return `log(${e()})`;
      case 3:
        return `if (${e()}) ${body()}else ${body()}`;
      case 4:
        return this.#loop(place, (head, more) => `${head} ${body(more)}`);
      case 5: {
        const label = this.#label();
        return `${label}: ${block({ breaks: [...place.breaks, label] })}`;
      }
      case 6:
        return `try ${block()} catch ${this.#one(['', '(e)'])} ${block()}`;
      case 7:
        return `try ${block()} finally ${block()}`;
      case 8:
        return `try ${block()} catch (e) ${block()} finally ${block()}`;
      case 9:
        return `return ${place.isConstructor ? 'void ' : ''}${e()}`;
      case 10:
        return place.breaks.length > 0 ? `break ${this.#one(place.breaks)}` : `v = ${e()}`;
      case 11:
        return place.continues.length > 0 ? `continue ${this.#one(place.continues)}` : 'return';
      case 12:
        return `switch (${e()}) { case 1: ${this.#statement(inner)}\ncase ${e()}: ${this.#statement(inner)}\nbreak\ndefault: ${this.#statement(inner)} }`;
      case 13:
        return this.throws ? `throw ${e()}` : `log('no throw', v)`;
      case 14:
      case 15:
        // First in its statement, after one that ends without a semicolon.
        if (place.async) return `await ${e()}`;
        return place.generator ? `yield ${e()}` : `v = ${e()}`;
      case 16:
        return place.async ? this.#forAwait(place, (head, more) => `${head} ${body(more)}`) : `void ${e()}`;
      default:
        return `w('${place.name}')`;
    }
  }

  #label() {
    return `L${this.#labels++}`;
  }

  /**
   * @param {Place} place
   * @param {(head: string, more: Partial<Place>) => string} write
   */
  #loop(place, write) {
    const label = this.#label();
    const more = { breaks: [...place.breaks, label], continues: [...place.continues, label] };
    const i = label.toLowerCase();
    const e = this.#expression({ ...place, depth: place.depth - 1 });
    const head = this.#one([
      `for (const ${i} of [1, 2])`,
      `for (var ${i} = 0; ${i} < 2; ${i}++)`,
      `while (fuel-- > 0 && ${e})`,
      `for (const ${i} in { a: ${e} })`,
    ]);
    return write(`${label}: ${head}`, more);
  }

  /** @param {Place} place @param {(head: string, more: Partial<Place>) => string} write */
  #forAwait(place, write) {
    const label = this.#label();
    const more = { breaks: [...place.breaks, label], continues: [...place.continues, label] };
    const sources = this.#functions.flatMap((kind, n) => (kind.endsWith('*') ? [`f${n}(${n})`] : []));
    const source = this.#one([`[1, ${this.#expression({ ...place, depth: 1 })}]`, ...sources]);
    return write(`${label}: for await (const ${label.toLowerCase()} of ${source})`, more);
  }

  /** @param {Place} place @returns {string} */
  #expression(place) {
    const { variable } = place;
    if (place.depth <= 0) return this.#one([variable, '1', `(w('${place.name}'), 2)`]);
    const inner = { ...place, depth: place.depth - 1 };
    const e = () => this.#expression(inner);
    switch (this.#pick(15)) {
      case 1:
        return `(w('${place.name}'), ${e()})`;
      case 2:
        return `(log('${place.name}', ${e()}), ${e()})`;
      case 3:
        return `(${e()} + ${e()})`;
      case 4:
      case 5:
      case 6:
        return place.callable > 0 ? this.#call(this.#pick(place.callable), inner) : '0';
      case 7:
        return `(${e()} > ${e()} ? ${e()} : ${e()})`;
      case 8:
      case 9:
        if (place.async) return `(await ${e()})`;
        return place.generator ? `(yield ${e()})` : `typeof ${e()}`;
      case 10:
        if (place.generator && !place.async) return `(yield* [${e()}, ${e()}])`;
        return `[${e()}, ...[${e()}]].length`;
      case 11: {
        const name = `a${this.#labels++}`;
        const arrow = {
          ...inner,
          name,
          async: false,
          generator: false,
          breaks: [],
          continues: [],
          variable: 'p',
        };
        return `({ ${name}: (p) => ${this.#expression(arrow)} }).${name}(${e()})`;
      }
      case 12:
        return `\`x\${${e()}}\``;
      case 13:
        return `(o = ${e()})`;
      case 14:
        return `({ v: ${e()} })?.v`;
      default:
        return variable;
    }
  }

  /** @param {number} n @param {Place} place @returns {string} a call that works in this place */
  #call(n, place) {
    const argument = this.#one([String(n), 'fuel', 'undefined']);
    const kind = this.#functions[n];
    const called = `f${n}(${argument})`;
    const settled = (/** @type {string} */ promise) =>
      this.throws ? `${promise}.catch((e) => log('rejected', e))` : promise;
    switch (kind) {
      case 'method':
        return `o${n}.${called}`;
      case 'class':
        return `typeof new ${called}`;
      case 'async function':
      case 'async arrow':
        if (place.async && this.#pick(3)) return `(await ${called})`;
        return `typeof ${settled(called)}`;
      case 'function*':
        if (place.generator && this.#pick(2)) return `(yield* ${called})`;
        return this.#one([`[...${called}].length`, `${called}.next().done`, `([o] = ${called}, o)`]);
      case 'async function*':
        if (place.generator && place.async && this.#pick(2)) return `(yield* ${called})`;
        if (place.async && this.#pick(2)) return `(await ${called}.next()).done`;
        return `typeof ${settled(`${called}.next()`)}`;
      default:
        return called;
    }
  }
}
