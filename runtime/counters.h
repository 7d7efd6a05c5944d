#pragma once

#include <cstdint>

namespace polyprof {

// What was lost or made up, by reason; never reset. The order crosses the boundary to JavaScript (COUNTER_NAMES in wasm/core.js):
// append, never reorder.
struct Counters {
  // Samples that repeat the one before, since no probe was passed for longer than an interval.
  uint32_t filled_ticks = 0;
  // Deeper than kMaxFrames: the outermost frames are missing; of shadow stacks deeper than their cells, the innermost.
  uint32_t truncated_stacks = 0;
  uint32_t unparsed_frames = 0;    // lines of stack text in no known form
  uint32_t rejected_samples = 0;   // did not fit into a full buffer
  uint32_t bad_tables = 0;         // function tables that were damaged
  uint32_t mismatched_tables = 0;  // function tables of another build of the script
  uint32_t missing_tables = 0;     // function tables that could not be fetched
  uint32_t fallback_frames = 0;    // frames given as the engine names them, for want of a table
  uint32_t lost_to_memory = 0;     // ticks that met the limit of memory
  uint32_t torn_stacks = 0;        // shadow stacks whose middle changed while it was read; they have a gap
  uint32_t garbled_stacks = 0;     // shadow stacks that no probe wrote; their ticks count as idle
};

// Counts without wrapping around.
inline void count(uint32_t& counter, uint32_t by = 1) {
  counter = counter > UINT32_MAX - by ? UINT32_MAX : counter + by;
}

}  // namespace polyprof
