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
  // The moment of the sample is when the depth and, at once, the leaf are read. There is no second try of that: it would find calls
  // that last, and a short call must have the chance that its length gives it. All callers are read before that moment, outermost
  // first, and after it, innermost first (who is there both times was there in between). In the place of the others there is a gap.
  //
  // Callers that entered after the first reading began would end up in that gap, too. So the moment is put off until all callers are read:
  // mostly the reader had lost its processor meanwhile, and the whole stack is a new one.
  Status read(Column<uint32_t>& ids, Counters& counters) const;

 private:
  [[nodiscard]] uint32_t cell(uint32_t index) const { return cells_[index].load(std::memory_order_acquire); }

  std::span<const std::atomic<uint32_t>> cells_;
};

}  // namespace polyprof
