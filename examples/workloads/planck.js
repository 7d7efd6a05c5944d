import { Box, Chain, Circle, DistanceJoint, Edge, RevoluteJoint, Vec2, World } from 'planck';
import { Digest } from './lib/digest.js';

/**
 * planck, a Box2D, steps three worlds of many touching bodies: floating-point arithmetic on small objects.
 *
 * It has no input: its data is what the first steps leave to the next ones. Sines differ in the last bit between engines, so a
 * digest is only comparable within one.
 */

/** Steps of each world at scale 1. */
const STEPS = 1200;
const STEP_SECONDS = 1 / 60;

/** Digests are over millionths: what is printed is what a game would show. */
const DECIMALS = 6;

/**
 * @param {unknown} _input none
 * @param {number} scale share of the steps to make
 * @returns {string} digest of every body's place after every tenth step
 */
export function run(_input, scale) {
  const digest = new Digest();
  for (const world of [pyramid(18), chains(8, 24), ragdolls(40)]) {
    const steps = Math.ceil(STEPS * scale);
    for (let i = 1; i <= steps; i++) {
      world.step(STEP_SECONDS);
      if (i % 10 === 0 || i === steps) addPlaces(world, digest);
    }
  }
  return String(digest);
}

/** @param {number} height boxes in the lowest row */
function pyramid(height) {
  const world = worldWithGround();
  const box = new Box(0.5, 0.5);
  for (let row = 0; row < height; row++) {
    for (let i = 0; i < height - row; i++) {
      const x = (i - (height - row - 1) / 2) * 1.1;
      world
        .createDynamicBody(new Vec2(x, 0.75 + row * 1.2))
        .createFixture(box, { density: 5, friction: 0.6 });
    }
  }
  // Something has to happen: a ball that comes rolling in.
  const ball = world.createDynamicBody(new Vec2(-30, 3));
  ball.createFixture(new Circle(2), { density: 20, restitution: 0.3 });
  ball.setLinearVelocity(new Vec2(18, 0));
  return world;
}

/** Hanging chains that swing into each other. @param {number} count @param {number} links of each */
function chains(count, links) {
  const world = worldWithGround();
  const link = new Box(0.4, 0.1);
  for (let c = 0; c < count; c++) {
    const anchor = new Vec2(c * 3 - 12, 30);
    let previous = world.createBody(anchor);
    for (let i = 0; i < links; i++) {
      const body = world.createDynamicBody(new Vec2(anchor.x + 0.4 + i * 0.8, anchor.y));
      body.createFixture(link, { density: 20, friction: 0.2, filterGroupIndex: -1 - (c % 2) });
      world.createJoint(new RevoluteJoint({}, previous, body, new Vec2(anchor.x + i * 0.8, anchor.y)));
      previous = body;
    }
  }
  return world;
}

/** Dolls of six boxes that fall down a slope. @param {number} count */
function ragdolls(count) {
  const world = worldWithGround();
  const slope = Array.from({ length: 20 }, (_, i) => new Vec2(-20 + i * 2, 12 - i * 0.6 + (i % 3) * 0.3));
  world.createBody().createFixture(new Chain(slope, false), { friction: 0.3 });
  for (let i = 0; i < count; i++) ragdoll(world, -18 + (i % 10) * 1.8, 16 + Math.floor(i / 10) * 4);
  return world;
}

/** @param {World} world @param {number} x @param {number} y of the trunk's centre */
function ragdoll(world, x, y) {
  const part = (
    /** @type {number} */ dx,
    /** @type {number} */ dy,
    /** @type {import('planck').Shape} */ shape,
  ) => {
    const body = world.createDynamicBody({ position: new Vec2(x + dx, y + dy), angularDamping: 0.3 });
    body.createFixture(shape, { density: 1, friction: 0.4, restitution: 0.1 });
    return body;
  };
  const trunk = part(0, 0, new Box(0.3, 0.5));
  const limb = new Box(0.1, 0.35);
  for (const [dx, dy] of [
    [-0.45, 0.2],
    [0.45, 0.2],
    [-0.2, -0.9],
    [0.2, -0.9],
  ]) {
    const joint = { lowerAngle: -0.7, upperAngle: 0.7, enableLimit: true };
    world.createJoint(
      new RevoluteJoint(joint, trunk, part(dx, dy, limb), new Vec2(x + dx * 0.8, y + dy + 0.35)),
    );
  }
  const head = part(0, 0.85, new Circle(0.25));
  const neck = { frequencyHz: 8, dampingRatio: 0.5 };
  world.createJoint(new DistanceJoint(neck, trunk, head, new Vec2(x, y + 0.5), new Vec2(x, y + 0.65)));
}

function worldWithGround() {
  const world = new World(new Vec2(0, -10));
  world.createBody().createFixture(new Edge(new Vec2(-60, 0), new Vec2(60, 0)), { friction: 0.6 });
  return world;
}

/** @param {World} world @param {Digest} digest */
function addPlaces(world, digest) {
  let places = '';
  for (let body = world.getBodyList(); body; body = body.getNext()) {
    const { x, y } = body.getPosition();
    places += `${x.toFixed(DECIMALS)} ${y.toFixed(DECIMALS)} ${body.getAngle().toFixed(DECIMALS)}\n`;
  }
  digest.add(places);
}
