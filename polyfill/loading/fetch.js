/**
 * The realm's `fetch` as it is when we load. Apps and their tracers put their own in its place: those have probes, and would run where we
 * load something, inside of scripts that just begin.
 */
export const { fetch } = globalThis;
