import { symbolicate } from './symbolicate.js';

/** @import { Profile } from '../formats/formats.js' */
/** @import { SymbolFinder } from './symbol_finder.js' */

/** @param {AsyncIterable<Profile>} profiles @param {SymbolFinder} finder @returns {AsyncGenerator<Profile>} */
export async function* withSymbols(profiles, finder) {
  for await (const profile of profiles) {
    const debugIds = new Map(Object.entries(profile.details?.debugIds ?? {}));
    const found = new Map();
    // One after the other: servers while developing are slow, and have many scripts.
    for (const resource of profile.trace.resources)
      found.set(resource, await finder.find(resource, debugIds.get(resource)));
    yield { ...profile, trace: symbolicate(profile.trace, (resource) => found.get(resource)) };
  }
}
