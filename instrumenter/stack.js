/** What a thread of ours has. The parser takes some seven times what engines do for the same nesting, and these have 1 MB in a page. */
export const STACK_MB = 64;
