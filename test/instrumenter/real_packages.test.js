import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';
import vm from 'node:vm';
import { build } from 'esbuild';
import { instrument } from '../../instrumenter/instrument.js';
import { allTasks, makeRealm, shadowOf } from './lib/realm.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const source = (/** @type {string} */ path) => readFileSync(`${ROOT}${path}`, 'utf8');

/**
 * Real work of real packages: modules whose `input` is a global and that set the global `output`, to a text or a promise of one.
 * @type {Record<string, {code: string, input: string}>}
 */
const WORK = {
  'Babel parses a minified module': {
    code: `import { parse } from '@babel/parser';
      output = JSON.stringify(parse(input, { errorRecovery: true, tokens: true }), (key, value) => typeof value === 'bigint' ? String(value) : value);`,
    input: source('node_modules/marked/lib/marked.esm.js'),
  },
  'Prettier formats code of this project': {
    code: `import { format } from 'prettier/standalone'; import * as babel from 'prettier/plugins/babel'; import * as estree from 'prettier/plugins/estree';
      output = format(input, { parser: 'babel', plugins: [babel, estree], printWidth: 60 });`,
    input: source('instrumenter/functions/collect_functions.js'),
  },
  'parse5 reads and writes a page': {
    code: `import { parse, serialize } from 'parse5';
      const page = parse(input, { sourceCodeLocationInfo: true }); let nodes = 0;
      (function count(node) { nodes++; for (const child of node.childNodes ?? []) count(child); })(page);
      output = nodes + serialize(page);`,
    input:
      source('docs/design.md').replaceAll('|', '<td title=x>').replaceAll('#', '</table><p><b><i>') +
      '<table><a><script>',
  },
  'ajv compiles a schema and finds what is wrong': {
    code: `import Ajv from 'ajv'; import meta from 'ajv/lib/refs/json-schema-draft-07.json';
      const validate = new Ajv({ allErrors: true, logger: false }).compile(meta); const schema = JSON.parse(input);
      output = [{}, schema, { type: 'x', properties: 1 }, []].map((data) => JSON.stringify([validate(data), validate.errors])).join();`,
    input: source('package.json'),
  },
  'acorn parses a minified module': {
    code: `import { parse, tokenizer } from 'acorn';
      output = JSON.stringify(parse(input, { ecmaVersion: 'latest', sourceType: 'module', locations: true }), (key, value) => typeof value === 'bigint' ? String(value) : value) + [...tokenizer(input, { ecmaVersion: 'latest', sourceType: 'module' })].length;`,
    input: source('node_modules/marked/lib/marked.esm.js'),
  },
  'terser minifies a script': {
    code: `import { minify } from 'terser';
      output = minify(input, { compress: { passes: 2 }, mangle: { toplevel: true } }).then(({ code }) => code);`,
    input: source('node_modules/preact/dist/preact.js'),
  },
  'sass compiles a style sheet': {
    code: `import { compileString } from 'sass';
      output = compileString(input).css + compileString(input, { style: 'compressed' }).css;`,
    input: `@use 'sass:math'; @use 'sass:map'; @use 'sass:string'; $sizes: (small: 4px, large: 16px);
      @function power($base, $n) { $result: 1; @for $_ from 1 through $n { $result: $result * $base; } @return $result; }
      @mixin media($width) { @media (min-width: $width) { @content; } }
      @each $name, $size in $sizes { .box-#{$name} { padding: math.div($size, 2); &:hover > .x { margin: power(2, 5) * 1px; } @include media(100px * 3) { color: mix(red, #00f, 30%); } } }
      %shared { color: rgba(#123456, .5); } @for $i from 1 through 9 { .n#{$i} { @extend %shared; width: percentage(math.div($i, 9)); content: string.to-upper-case('item #{$i}'); } }
      @if map.has-key($sizes, small) { a { b: if(true, 1, 2) } } @else { c { d: e } }`,
  },
  'three computes a scene': {
    code: `import * as THREE from 'three';
      let id = 0; THREE.MathUtils.generateUUID = () => String(id++);
      const scene = new THREE.Scene(), camera = new THREE.PerspectiveCamera(60, 1.5, 0.1, 100), lines = [];
      camera.position.set(3, 4, 5); camera.lookAt(0, 0, 0); camera.updateMatrixWorld();
      for (const geometry of [new THREE.TorusKnotGeometry(1, 0.3, 64, 8), new THREE.IcosahedronGeometry(1, 2), new THREE.LatheGeometry([new THREE.Vector2(0, 0), new THREE.Vector2(1, 1)])]) {
        const mesh = new THREE.Mesh(geometry, new THREE.MeshStandardMaterial({ color: 0x336699 }));
        mesh.rotation.set(0.1, id / 10, 0.3); scene.add(mesh); mesh.updateMatrixWorld(true);
        geometry.computeBoundingSphere(); geometry.computeVertexNormals();
        const hits = new THREE.Raycaster(camera.position, new THREE.Vector3(-3, -4, -5).normalize()).intersectObject(mesh);
        lines.push(geometry.boundingSphere.radius, hits.map(({ distance, face }) => [distance, face.a]), new THREE.Frustum().setFromProjectionMatrix(new THREE.Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse)).intersectsObject(mesh));
      }
      const mixer = new THREE.AnimationMixer(scene); mixer.clipAction(new THREE.AnimationClip('c', 2, [new THREE.VectorKeyframeTrack('.position', [0, 1, 2], [0, 0, 0, 1, 2, 3, 4, 5, 6], THREE.InterpolateSmooth)])).play();
      for (let i = 0; i < 20; i++) { mixer.update(0.07); lines.push(scene.position.toArray()); }
      output = JSON.stringify(lines) + Object.values(scene.children[0].geometry.attributes.normal.array).slice(0, 300).join() + new THREE.Euler().setFromQuaternion(new THREE.Quaternion(0.1, 0.2, 0.3, 0.9).normalize()).toArray();`,
    input: '',
  },
  'lodash does something with a list': {
    code: `import _ from 'lodash';
      const words = _.words(input), made = [];
      made.push(_.chain(words).map(_.toLower).countBy().toPairs().sortBy([([, n]) => -n, 0]).take(200).value(), _.groupBy(words, 'length'), _.uniq(words.map(_.camelCase)).map(_.kebabCase).slice(0, 300));
      made.push(_.template('<% _.forEach(list, (x, i) => { %><li><%- x %> <%= i %></li><% }) %>')({ list: words.slice(0, 50) }), _.merge({ a: [{ b: 1 }] }, { a: [{ c: 2 }], d: /x/g }), _.cloneDeep(new Map([[{ a: 1 }, new Set(words.slice(0, 9))]])).size, _.isEqual(made, _.cloneDeep(made)), _.flow([_.add, (x) => x * x])(1, 2), _.curry((a, b, c) => a + b + c)(1)(2)(3), _.range(0, 20, 3), _.zipWith([1, 2], [10, 20], _.add), _.debounce.length, _.deburr('déjà vu'), _.partition(words, (w) => w > 'm').map(_.size));
      output = JSON.stringify(made);`,
    input: source('docs/design.md'),
  },
  'rxjs joins streams': {
    code: `import { of, from, range, Subject, VirtualTimeScheduler, interval, merge, zip, concat, throwError, defer } from 'rxjs';
      import { map, mergeMap, scan, filter, groupBy, toArray, catchError, retry, take, bufferCount, switchMap, debounceTime, finalize, share, concatMap, delay, windowCount, reduce } from 'rxjs/operators';
      const lines = [], time = new VirtualTimeScheduler(), say = (name) => ({ next: (v) => lines.push(name + JSON.stringify(v)), error: (e) => lines.push(name + '!' + (e.message ?? e)), complete: () => lines.push(name + '.') });
      range(1, 300).pipe(filter((n) => n % 3 > 0), groupBy((n) => n % 7), mergeMap((g) => g.pipe(bufferCount(4), map((b) => [g.key, ...b])))).subscribe(say('group'));
      merge(interval(10, time).pipe(take(20), map((n) => 'a' + n)), interval(15, time).pipe(take(20), scan((s, n) => s + n, 0)), from(input).pipe(concatMap((c) => of(c).pipe(delay(3, time))))).pipe(finalize(() => lines.push('end'))).subscribe(say('merge'));
      let tries = 0; defer(() => (tries++ < 3 ? throwError(() => new Error('try ' + tries)) : of('ok'))).pipe(retry(5)).subscribe(say('retry'));
      const subject = new Subject(), shared = subject.pipe(share(), debounceTime(20, time)); shared.subscribe(say('s1')); shared.pipe(switchMap((v) => interval(7, time).pipe(take(v)))).subscribe(say('s2')); [1, 2, 3].forEach((v) => time.schedule(() => subject.next(v), v * 30)); time.schedule(() => subject.complete(), 200);
      zip(of(1, 2, 3), concat(of('x'), of('y'), throwError(() => 'bad'))).pipe(catchError((e) => of(e)), toArray()).subscribe(say('zip')); range(0, 9).pipe(windowCount(2), mergeMap((w) => w.pipe(reduce((a, b) => a + b)))).subscribe(say('window'));
      time.flush(); output = lines.join('\\n');`,
    input: 'streams of letters',
  },
  'immer writes down changes': {
    code: `import { produce, produceWithPatches, applyPatches, enablePatches, enableMapSet, original, current, isDraft } from 'immer';
      enablePatches(); enableMapSet();
      let state = { list: Array.from({ length: 60 }, (_, id) => ({ id, tags: ['a'], done: false })), map: new Map([['k', { n: 0 }]]), set: new Set([1, 2]) }; const first = state, all = [];
      for (let round = 0; round < 8; round++) { const [next, patches, inverse] = produceWithPatches(state, (draft) => { for (const item of draft.list) if (item.id % (round + 2) === 0) { item.done = !item.done; item.tags.push(round); } draft.list.splice(round, 1); draft.map.get('k').n++; draft.set.add(round); if (round === 5) all.push(isDraft(draft.list), current(draft).list.length, original(draft).list.length); }); all.push(patches.length, inverse.length, applyPatches(next, inverse).list.length, patches[0]); state = next; }
      try { state.list.push(1); } catch (error) { all.push(error.constructor.name); }
      try { produce(first, (d) => { d.a = 1; return {}; }); } catch (error) { all.push(error.message); }
      output = JSON.stringify([all, state.list, [...state.map], [...state.set], first.list.length]);`,
    input: '',
  },
};

for (const [title, { code, input }] of Object.entries(WORK)) {
  test(`with probes in all functions, ${title}, as it does without`, async () => {
    const bundled = await bundle(code);
    const plain = await run(bundled, input, 'none');
    assert.ok(plain.output.length > 300, plain.output);
    const { code: probed, summary } = instrument(bundled, { minWeight: 0, sourceMap: false });
    assert.ok(summary.probed > 100, `${summary.probed} functions`);
    for (const mode of /** @type {const} */ (['none', 'always'])) {
      const { output, points } = await run(probed, input, mode);
      assert.equal(digest(output), digest(plain.output));
      if (mode === 'always') assert.ok(points > 10_000, `${points} checks`);
    }
    for (const minWeight of [0, 10]) {
      const { code: shadowed } = instrument(bundled, { probe: 'shadow', minWeight, sourceMap: false });
      for (const mode of /** @type {const} */ (['none', 'never'])) {
        const { output, shadow } = await run(shadowed, input, mode);
        assert.equal(digest(output), digest(plain.output));
        assert.equal(shadow?.depth, 1, 'nothing runs any more');
        assert.ok(Number(shadow?.nextId) > 100);
      }
    }
  });
}

/** @param {string} contents of a module @returns {Promise<string>} a classic script */
async function bundle(contents) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: ROOT },
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    logLevel: 'error',
    define: { process: 'undefined', 'process.env.NODE_ENV': '"production"' },
  });
  return outputFiles[0].text;
}

/** @param {string} code @param {string} input @param {import('./lib/realm.js').HookMode} mode */
async function run(code, input, mode) {
  const { context, outcome } = makeRealm(mode);
  // sass asks where it is.
  Object.assign(context, { input, output: '', URL, location: { href: 'https://site.invalid/' } });
  vm.runInContext(code, context, { filename: 'bundle.js' });
  const output = String(await context.output);
  await allTasks();
  return { output, points: outcome.points, shadow: shadowOf(context) };
}

/** @param {string} text */
function digest(text) {
  return `${text.length} ${createHash('sha256').update(text).digest('hex')}`;
}
