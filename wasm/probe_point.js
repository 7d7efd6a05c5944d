/** Values of `ProbePoint` in runtime/stack_mapper.h; kept in step by a test. */
export const ProbePoint = /** @type {const} */ ({ ENTER: 0, LEAVE: 1, RESUME: 2 });
