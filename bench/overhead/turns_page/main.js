/**
 * Pages of the same work in frames of one page, which take turns of some milliseconds: what slows the machine down for longer than that slows
 * all of them.
 *
 * `__takeTurns(frames, work)` loads the frames and resolves with the ms of each turn, by frame and round. Rejects when a frame computes something
 * else than the others.
 */

/** @typedef {{folder: string, query: string}} Frame `folder`: path of a workload's page; `query`: as that page's */

Object.assign(globalThis, { __takeTurns: takeTurns });

/**
 * @param {Frame[]} frames
 * @param {{workload: string, rounds: number, scale: number}} work `scale`: of one turn
 * @returns {Promise<number[][]>}
 */
async function takeTurns(frames, { workload, rounds, scale }) {
  /** @type {any[]} */
  const realms = [];
  for (const { folder, query } of frames) {
    realms.push(await load(`frame.html?${new URLSearchParams({ folder, workload })}&${query}`));
  }
  /** @type {number[][]} */
  const times = frames.map(() => []);
  for (let round = 0; round < rounds; round++) {
    let expected;
    for (const which of shuffled(frames.length)) {
      const { ms, digest } = await realms[which].__turn(scale);
      expected ??= digest;
      if (digest !== expected) throw new Error(`${frames[which].folder} computes ${digest}, not ${expected}`);
      times[which].push(ms);
    }
  }
  for (const realm of realms) await realm.__end();
  return times;
}

/** @param {number} count @returns {number[]} 0 to count - 1 in a random order: nobody always comes after the same one */
function shuffled(count) {
  const order = Array.from({ length: count }, (_, i) => i);
  for (let i = count - 1; i > 0; i--) {
    const other = Math.floor(Math.random() * (i + 1));
    [order[i], order[other]] = [order[other], order[i]];
  }
  return order;
}

/** @param {string} address @returns {Promise<any>} the frame's global object, ready to work */
async function load(address) {
  const frame = document.createElement('iframe');
  frame.src = address;
  await new Promise((resolve) => {
    frame.onload = resolve;
    document.body.append(frame);
  });
  const realm = /** @type {any} */ (frame.contentWindow);
  await realm.__ready;
  return realm;
}
