import { symbolicate } from './symbolicate.js';

/** @import { Profile } from './formats.js' */
/** @import { SymbolFinder } from './symbol_finder.js' */

/** @param {AsyncIterable<Profile>} profiles @param {SymbolFinder} finder @returns {AsyncGenerator<Profile>} */
export async function* withSymbols(profiles, finder) {
  for await (const profile of profiles) {
    const debugIds = profile.details?.debugIds ?? {};
    const trace = symbolicate(profile.trace, (resource) => finder.find(resource, debugIds[resource]));
    yield { ...profile, trace };
  }
}
