#pragma once

#include "runtime/column.h"
#include "runtime/ids.h"
#include "runtime/interner.h"

namespace polyprof {

// Call stacks as a tree of two columns: a stack is its caller's stack and the frame on top of it. There are at most kMost.
template <uint32_t kMost>
class StackTrieOf {
 public:
  static constexpr uint32_t kMaxStacks = kMost;

  // The stack of frame on top of parent (none: frame is outermost). none() when there is no memory or kMaxStacks are there.
  StackId intern(StackId parent, FrameId frame) {
    const auto result = interner_.intern(
        hash_of(parent, frame),
        [&](uint32_t row) { return parents_[row] == parent && frames_[row] == frame; },
        [&] { return push(parent, frame); });
    return result.row == Interner::kNoMemory ? StackId::none() : StackId(result.row);
  }

  [[nodiscard]] StackId parent(StackId id) const { return parents_[id.value()]; }
  [[nodiscard]] FrameId frame(StackId id) const { return frames_[id.value()]; }
  [[nodiscard]] uint32_t size() const { return parents_.size(); }

 private:
  static uint32_t hash_of(StackId parent, FrameId frame) {
    return mix(mix(0, parent.value()), frame.value());
  }

  bool push(StackId parent, FrameId frame) {
    if (parents_.size() == kMaxStacks || !parents_.push(parent)) return false;
    if (frames_.push(frame)) return true;
    parents_.truncate(parents_.size() - 1);
    return false;
  }

  // A parent's row comes before its children's, since an id is only ever returned by intern(): there are no cycles.
  Column<StackId> parents_;
  Column<FrameId> frames_;
  Interner interner_;
};

// Of a page. Endless recursion stops growing there: 6 MB with the hash table, and as JSON still less than the memory can hold twice.
using StackTrie = StackTrieOf<(1u << 18)>;

}  // namespace polyprof
