/**
 * What the report's page gets, as JSON in itself. Ids are indices; times are ms.
 *
 * @typedef {object} PageProfile
 * @property {string} name
 * @property {[string, string][]} facts what was profiled and how: label and text
 * @property {{name: string, place: string}[]} functions
 * @property {number[]} functionOfNode nodes are call paths, callers before their callees
 * @property {number[]} parentOfNode -1: none
 * @property {number[]} nodeOfSample -1: idle
 * @property {number[]} msOfSample
 * @property {number[] | null} countOfSample null: each sample is one
 * @property {number | null} startMs of the first sample; null: the samples are in no order of time
 *
 * @typedef {{profiles: PageProfile[]}} PageData
 */

export {};
