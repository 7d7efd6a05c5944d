import { BoxGeometry, Group, Mesh, MeshBasicMaterial, Raycaster, Vector3 } from 'three';
import { Digest } from '../../../examples/workloads/lib/digest.js';

/**
 * three's scene graph turns a few thousand nested objects and casts rays at them: vectors, quaternions and matrices with methods of a line
 * or two, called tens of millions of times. The worst case for probes.
 */

/** Frames at scale 1. */
const FRAMES = 240;
const [ARMS, LINKS] = [40, 40];

/** @param {unknown} _input @param {number} scale share of the frames @returns {string} digest of what the rays hit */
export function run(_input, scale) {
  const digest = new Digest();
  const scene = new Group();
  const material = new MeshBasicMaterial();
  const box = new BoxGeometry(1, 1, 1);
  /** @type {Mesh[]} */
  const links = [];
  for (let arm = 0; arm < ARMS; arm++) {
    /** @type {import('three').Object3D} */
    let parent = scene;
    for (let link = 0; link < LINKS; link++) {
      const mesh = new Mesh(box, material);
      mesh.position.set(link === 0 ? arm * 2 : 0.4, 1, 0);
      parent.add(mesh);
      links.push(mesh);
      parent = mesh;
    }
  }
  const ray = new Raycaster();
  const [from, to] = [new Vector3(), new Vector3()];
  const frames = Math.ceil(FRAMES * scale);
  for (let frame = 0; frame < frames; frame++) {
    for (const [i, mesh] of links.entries())
      mesh.rotation.set(0, 0.01 * frame, ((i % 7) - 3) * 0.002 * frame);
    scene.updateMatrixWorld(true);
    for (let n = 0; n < 4; n++) {
      from.set((frame * 13 + n * 31) % 80, 50, 3);
      to.set((frame * 7) % 80, n * 8, 0)
        .sub(from)
        .normalize();
      ray.set(from, to);
      digest.add(String(ray.intersectObject(scene, true).length));
    }
  }
  return String(digest);
}
