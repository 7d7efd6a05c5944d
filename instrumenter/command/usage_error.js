/** The command line was used in a way that cannot work: its message is for the user. Nothing was written; exit code 2. */
export class UsageError extends Error {}
