#pragma once

#include <atomic>
#include <cstdint>
#include <span>

#include "runtime/column.h"
#include "runtime/counters.h"
#include "runtime/status.h"

namespace polyprof {

// The stack of function ids that the page's shadow probes keep while they run, read by another thread.
//
// The protocol. cells[0] is the index of the first free cell, 1 when nothing runs; cells[1] to cells[cells[0] - 1] are the ids of
// the running functions, outermost first. Only the page writes, with plain stores, in this order:
//
//   enter:  d = cells[0]; cells[d] = id; cells[0] = d + 1       an id is there before it counts
//   leave:  cells[0] = d                                         what was above stays, and means nothing
//
// A store beyond the array is no store (JavaScript's typed arrays), so cells[0] may count higher than there are cells. The reader
// trusts nothing: any script of the page can write anything.
class ShadowStack {
 public:
  // Stands for the callers that changed while they were read, in a stack whose leaf and root are right. No function has this id.
  static constexpr uint32_t kGap = 0;

  // More functions than any engine's own stack holds: whoever wrote that was not a probe.
  static constexpr uint32_t kMaxDepth = 1u << 20;

  explicit ShadowStack(std::span<const std::atomic<uint32_t>> cells) : cells_(cells) {}

  // Copies what runs now, outermost first, empty when nothing does. kOutOfMemory, or kOk with the loss counted: truncated_stacks,
  // torn_stacks, garbled_stacks.
  //
  // The leaf is read first, at once after the depth, then its callers downwards: so a short call has the chance that its length
  // gives it. Then all is read again. What differs near the leaf changed after it was read and is right as of then. What
  // differs farther down was perhaps read too late: another try, and in the end a gap in its place.
  Status read(Column<uint32_t>& ids, Counters& counters) const;

 private:
  // Read within some 50 ns after the leaf: taken as read at the same time.
  static constexpr uint32_t kAtOnce = 32;
  static constexpr int kTries = 4;

  [[nodiscard]] uint32_t cell(uint32_t index) const { return cells_[index].load(std::memory_order_acquire); }

  std::span<const std::atomic<uint32_t>> cells_;
};

}  // namespace polyprof
