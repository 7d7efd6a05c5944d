/**
 * Values of `Status` in runtime/status.h; kept in step by a test. One by one for the page, which needs few of them and pays for what it
 * loads; all by name for everybody else.
 */
export const OUT_OF_MEMORY = 1;
export const PENDING_TABLE = 6;
export const BUSY = 9;

export const Status = /* @__PURE__ */ Object.freeze({
  OK: 0,
  OUT_OF_MEMORY,
  INVALID_ARGUMENT: 2,
  TOO_MANY_SESSIONS: 3,
  UNKNOWN_SESSION: 4,
  UNKNOWN_SCRIPT: 5,
  PENDING_TABLE,
  BAD_TABLE: 7,
  TABLE_MISMATCH: 8,
  BUSY,
});
