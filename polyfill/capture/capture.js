/**
 * How the realm's probes are looked after while a sampler runs: one class for each kind of probe, of which a sampler has one instance.
 *
 * @typedef {object} Capture
 * @property {() => void} arm from now on the probes tell what runs; called once, before all others
 * @property {() => void} disarm the probes do nothing again; may be called twice
 * @property {() => void} pause the page is hidden, or other probes are to be sampled: as `disarm`, but what was due until now is recorded. From the root of a task of ours
 * @property {() => void} resume after `pause`
 * @property {() => void} replan the set of open sessions changed
 * @property {(point: number, furtherFrames: number) => void} look records all ticks up to now. `furtherFrames`: of ours, between the page's call and this one's caller, beyond
 *   those between a probe and what it calls
 * @property {() => void} settle what was looked at is recorded; whoever asks for samples or counters calls this first
 * @property {number} unwoken ticks so far for which the worker had not yet woken up when a session ended. The page has to count them, since the worker will not
 * @property {number} unlocated ticks so far at which or near which nothing was seen
 */

export {};
