/** A workload that cannot be run to its end: the message says why. */
export class WorkloadError extends Error {}
