/**
 * Programs of all the forms that functions have: private members, accessors, static blocks, derived classes, destructuring, iterators
 * that are closed, generators that are told to return or throw, tagged templates, nested and hoisted functions, functions in blocks and behind labels,
 * direct eval, `with`. They also tell the lines that errors have. Made from a list of
 * numbers, as by `randomProgram`; they end, because functions call only earlier ones and fuel runs out.
 *
 * @typedef {object} Place
 * @property {number} depth left
 * @property {boolean} [async]
 * @property {boolean} [generator]
 * @property {boolean} [inLoop] `break` and `continue` may stand here
 * @property {boolean} [isFunction] `return` may stand here
 * @property {boolean} [strict]
 * @property {string} self an expression for `this` or something like it
 */

const HELPERS = `var fuel = 120, a = 1, b = { x: 2, y: [3] }, n = 0;
function* iter(v) { try { yield v; yield 2; return 3 } catch (e) { log('iter caught', e); yield 4 } finally { log('iter closed') } }
async function* agen(v) { try { yield v; yield 2 } finally { await null; log('agen closed') } }
async function wait(v) { await null; log(where()); return v }
class Base { static made = 0; constructor(...args) { Base.made++; log('Base', args.length, new.target.name) } m(v) { return v } get v() { return 'v' } }
const tag = (strings, ...values) => strings.raw.join('|') + values.length;
const where = () => new Error().stack.match(/script\\.js:\\d+/g).join();`;

/** @param {number[]} choices @returns {{code: string, isOdd: boolean}} a classic script; `isOdd`: some functions of it may be such that they cannot have probes */
export function randomForms(choices) {
  const forms = new RandomForms(choices);
  return { code: forms.text(), isOdd: forms.isOdd };
}

class RandomForms {
  #at = 0;
  #names = 0;
  /** Expressions that call what was declared so far. @type {((argument: string) => string)[]} */
  #calls = [];

  /** @param {number[]} choices */
  constructor(choices) {
    this.choices = choices;
    /** Has it functions that cannot have probes? */
    this.isOdd = this.#pick(4) === 1;
  }

  text() {
    const lines = [HELPERS];
    const top = { depth: 3, self: 'b' };
    for (let i = 0; i < 4; i++) lines.push(this.#declaration());
    for (const call of this.#calls)
      lines.push(`try { log(${call('1')}) } catch (e) { log('top caught', e) }`);
    lines.push(
      `try { ${this.#statements(top)} } catch (e) { log('top caught', e) } finally { log(a, b, n) }`,
    );
    return lines.join('\n');
  }

  /** @param {number} below @returns {number} */
  #pick(below) {
    return this.#at < this.choices.length ? this.choices[this.#at++] % below : 0;
  }

  /** @template T @param {T[]} items @returns {T} */
  #one(items) {
    return items[this.#pick(items.length)];
  }

  #name() {
    return `v${this.#names++}`;
  }

  #parameters() {
    return this.#one([
      'p',
      'p = n++',
      '{ x: p = 1, ...q } = {}',
      '[p, ...q] = [1]',
      '...p',
      'p, q = p, { r } = b',
    ]);
  }

  /** @param {Partial<Place>} [more] */
  #body(more = {}) {
    const place = { depth: 3, self: 'this', isFunction: true, ...more };
    return `{ if (fuel-- < 0) return; ${this.#statements(place)} }`;
  }

  #declaration() {
    const name = this.#name();
    const [text, ...calls] = this.#declared(name);
    // Only from here on: a program that calls itself hardly ends.
    this.#calls.push(...calls);
    return text;
  }

  /** @param {string} name @returns {[string, ...((argument: string) => string)[]]} */
  #declared(name) {
    switch (this.#pick(7)) {
      case 1:
        return [
          `function* ${name}(${this.#parameters()}) ${this.#body({ generator: true })}`,
          (v) => `[...${name}(${v})].length`,
        ];
      case 2:
        return [
          `const ${name} = async (${this.#parameters()}) => ${this.#body({ async: true, self: 'b' })}`,
          (v) => `${name}(${v}).catch((e) => log('rejected', e))`,
        ];
      case 3:
        return [
          `async function* ${name}(${this.#parameters()}) ${this.#body({ async: true, generator: true })}`,
          (v) => `${name}(${v}).next().then(log, (e) => log('rejected', e))`,
        ];
      case 4:
        return [this.#class(name), (v) => `new ${name}(${v}).m(${v})`, (v) => `${name}.s(${v})`];
      case 5: {
        const key = this.#one(["'k'", 'n++', 'Symbol.iterator']);
        return [
          `const ${name} = { go(${this.#parameters()}) ${this.#body()}, get v() ${this.#body()}, set v(p) ${this.#body()}, [${key}]: function () ${this.#body()} };`,
          (v) => `${name}.go(${v})`,
          () => `${name}.v`,
          (v) => `(${name}.v = ${v})`,
        ];
      }
      case 6:
        return [
          `var ${name} = (${this.#parameters()}) => ${this.#one(['p', '(n++, p)', '({ p })', 'typeof p', '[p].map((q) => q)'])};`,
          (v) => `${name}(${v})`,
        ];
      default:
        return [`function ${name}(${this.#parameters()}) ${this.#body()}`, (v) => `${name}(${v})`];
    }
  }

  /** @param {string} name */
  #class(name) {
    const strict = true;
    const inside = { depth: 2, self: 'this', isFunction: true, strict };
    const body = (/** @type {Partial<Place>} */ more = {}) => this.#body({ depth: 2, strict, ...more });
    const before = this.#one(['', "log('before');", 'if (n > 900) return {};']);
    return `class ${name} extends Base { #p = ${this.#expression({ ...inside, depth: 1 })}; static #count = 0; own = () => this.#p; 'quoted' = 1; later = async () => (await ${this.#expression({ ...inside, depth: 1, async: true, isFunction: false })}, this.#p);
static { ${this.#statements({ depth: 1, self: 'this', strict })} }
constructor(${this.#parameters()}) { ${before} super(p, ...[1]); ${this.#statements(inside)} }
get #hidden() { ${name}.#count++; return this.#p } set #hidden(v) { this.#p = v }
#private(${this.#parameters()}) ${body()}
['m' + n++](p) ${body({ depth: 1 })}
m(p) { try { this.#private(p); this.#hidden = this.#hidden; return super.m(#p in this) } catch (e) { log('m caught', e); throw e } finally { ${this.#statements({ depth: 1, self: 'this', strict })} } }
static s(p) ${body()} static async *g() ${body({ async: true, generator: true })} }`;
  }

  /** @param {Place} place @returns {string} */
  #statements(place) {
    return Array.from({ length: 1 + this.#pick(2) }, () => this.#statement(place)).join('\n');
  }

  /** @param {Place} place @returns {string} */
  #statement(place) {
    const e = () => this.#expression(inner);
    const inner = { ...place, depth: place.depth - 1 };
    const block = (/** @type {Partial<Place>} */ more = {}) =>
      `{ ${this.#statements({ ...inner, ...more })} }`;
    if (place.depth <= 0) return this.#one(['n++', 'log(n)', `log(${place.self} === undefined)`]);
    const v = this.#name();
    const loop = { inLoop: true };
    const sloppy = (/** @type {string} */ statement) => (place.strict ? `log(${e()})` : statement);
    switch (this.#pick(30)) {
      case 22:
        return 'log(where())';
      case 23:
        return `log(${e()},\n${e()},\nwhere())`;
      case 24:
        return sloppy(
          `log(typeof ${v})\n{ function ${v}(${this.#parameters()}) ${this.#body({ depth: inner.depth, strict: place.strict })} }\nlog(typeof ${v}, ${v}(1))`,
        );
      case 25:
        return sloppy(
          `${v}: w${v}: function ${v}(${this.#parameters()}) ${this.#body({ depth: inner.depth, strict: place.strict })}\nlog(${v}(1))`,
        );
      case 26:
        return place.async && place.generator
          ? `a = yield* ${this.#one(['agen', 'iter'])}(${e()})`
          : `log(${e()})`;
      case 27:
        if (!this.isOdd) return `log(${e()})`;
        return this.#one([
          `eval('var ${v} = n++'), log(typeof ${v})`,
          `try ${block()} catch ({ message = ${e()} }) { log(message) }`,
          sloppy(`with ({ n: 1, w: ${e()} }) { log(w, n++, ((q) => w)(${e()})) }`),
        ]);
      case 28:
        return `{ let { ${v}, [${e()}]: w = ${e()}, ...rest } = { ${v}: ${e()} }; [${v}, b.x = ${e()}] = [w]; log(${v}, rest) }`;
      case 29:
        return place.async ? `await\n${e()}\nlog(where())` : `if (${e()}) ${v}: ${block()}`;
      case 1:
        return `{ const { x: ${v} = ${e()}, ...rest } = { x: ${this.#one(['undefined', e()])}, y: ${e()} }; log(${v}, rest) }`;
      case 2:
        return `{ let [${v} = ${e()}, , ...rest] = iter(${e()}); log(${v}, rest); [${v}] = iter(1); ({ x: ${v} } = b) }`;
      case 3:
        return `for (const [${v}, w = ${e()}] of [[1], [${e()}, 2]]) ${block(loop)}`;
      case 4:
        return `for (const ${v} of iter(${e()})) ${block(loop)}`;
      case 5:
        return `{ let ${v} = 0; do ${block(loop)} while (${v}++ < 1) }`;
      case 6:
        return `${v}: { ${this.#statements(inner)}\ntry { if (${e()}) break ${v}; ${this.#statements(inner)} } finally ${block()} }`;
      case 7:
        return `try ${block()} catch ({ message, ...rest }) { log(message, rest) }`;
      case 8:
        return `try { throw ${e()} } catch (${v}) { log('caught', ${v}) } finally ${block()}`;
      case 9:
        return `{ const ${v} = iter(${e()}); log(${v}.next()); try { log(${v}.throw(new Error('told'))) } catch (e) { log(e) } log(${v}.return(${e()}), ${v}.next()) }`;
      case 10:
        return `log(${v}(1)); function ${v}(${this.#parameters()}) ${this.#body({ depth: inner.depth, strict: place.strict })}`;
      case 11:
        return `switch (${e()}) { case ${e()}: ${this.#statement(inner)}\ndefault: ${this.#statement(inner)}\ncase 1: ${this.#statement(inner)} }`;
      case 12:
        return place.async
          ? `for await (const ${v} of ${this.#one(['agen(1)', `[wait(1), ${e()}]`])}) ${block(loop)}`
          : `log(${e()})`;
      case 13:
        return place.inLoop
          ? this.#one([`if (${e()}) break`, `if (${e()}) continue`, 'continue', 'break'])
          : `a = ${e()}`;
      case 14:
        return place.isFunction ? `return ${e()}` : `void ${e()}`;
      case 15:
        return place.isFunction ? `if (${e()}) return; else ${block()}` : `b.x = ${e()}`;
      case 16:
        return `if (${e()}) var ${v} = ${e()}; else throw ${this.#one([e(), "new RangeError('r')"])}`;
      case 17:
        return place.generator ? `log('sent', yield ${e()})` : `n += 1`;
      case 18:
        return place.generator && !place.async ? `a = yield* iter(${e()})` : `a += 1`;
      case 19:
        return place.async ? `a = await ${e()}` : `a = [${e()}]`;
      case 20:
        return `for (var ${v} = 0, step${v} = () => ${v}++; ${v} < 2; step${v}()) ${block(loop)}`;
      case 21:
        return `for (const ${v} in { k: ${e()}, l: 1 }) ${block(loop)}`;
      default:
        return `log(${e()})`;
    }
  }

  /** @param {Place} place @returns {string} */
  #expression(place) {
    const inner = { ...place, depth: place.depth - 1 };
    const e = () => this.#expression(inner);
    if (place.depth <= 0) return this.#one(['a', '1', 'n++', 'b.x', "'s'", `typeof ${place.self}`, 'null']);
    const { strict } = place;
    const plain = { depth: inner.depth, self: 'this', isFunction: true, strict };
    const ofClass = { ...plain, isFunction: false, strict: true };
    switch (this.#pick(23)) {
      case 20:
        return `(${e()},\nwhere())`;
      case 21:
        return `({ __proto__: { m(p) { return p } }, m(p) { return (() => super.m(${this.#expression(plain)}))() } }).m(${e()})`;
      case 22:
        return place.async ? `(await wait(\n${e()}\n, where()))` : `b[${e()}]`;
      case 1:
      case 2:
      case 3: {
        const call = this.#calls.length > 0 ? this.#one(this.#calls) : () => '0';
        return `(${call(e())}, ${e()})`;
      }
      case 4:
        return `((${this.#parameters()}) => ${this.#expression({ depth: inner.depth, self: place.self, strict })})(${e()}, ${e()})`;
      case 5:
        return `(function (${this.#parameters()}) { return log(arguments.length, new.target), ${this.#expression(plain)} })(${e()})`;
      case 6:
        return `tag\`a\${${e()}}b\${${e()}}\``;
      case 7:
        return `[...iter(${e()}), ${e()}].length`;
      case 8:
        return `({ [(n++, 'k')]: ${e()}, get x() { return ${this.#expression(plain)} }, async m() { return await ${this.#expression({ ...plain, async: true })} } }).x`;
      case 9:
        return `b?.y?.[${e()}]?.(${e()})`;
      case 10:
        return `(${this.#one(['a ||=', 'a &&=', 'a ??=', 'a =', 'b.x ??='])} ${e()})`;
      case 11:
        return `new (class extends Base { #q = ${this.#expression(ofClass)}; static x = ${this.#expression(ofClass)}; get v() { return this.#q } })(${e()}).v`;
      case 12:
        if (place.async) return `(await ${this.#one([e(), `wait(${e()})`])})`;
        return place.generator ? `(yield ${e()})` : `-(${e()})`;
      case 13:
        return `(${e()}, ${e()})`;
      case 14:
        return `(${e()} ? ${e()} : ${e()})`;
      case 15:
        return `[1, 2].map(function (v, i) { ${this.#statements({ ...plain, depth: Math.min(1, inner.depth) })}\nreturn v + i }).join()`;
      case 16:
        return `(n > 9 ? (() => { throw ${this.#one(['n', "new TypeError('t')"])} })() : ${e()})`;
      case 17:
        return `(${e()} instanceof Base)`;
      case 18:
        return `((f) => [f.name, f.length])(function ${this.#one(['', 'named'])}(p, q) { return p })`;
      default:
        return `log('x', ${e()})`;
    }
  }
}
