#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/ids.h"
#include "runtime/interner.h"

namespace polyprof {

// Call stacks as a tree: a stack is its caller's stack and the frame on top of it. The key of its row is both: in the lower kBits the
// parent, above them the frame.
template <class Word, uint32_t kBits>
class StackTrieOf {
 public:
  static constexpr uint32_t kMaxStacks = InternerOf<Word, kBits>::kMaxRows;

  // The stack of frame on top of parent (none: frame is outermost). none() when there is no memory or kMaxStacks are there.
  StackId intern(StackId parent, FrameId frame) {
    const uint32_t caller = parent.value() & kNone;
    const Word key = Word{frame.value()} << kBits | caller;
    // Of a stack that was new all the way from here, the next row: that needs no look into the hash table.
    const uint32_t likely = caller + 1;
    if (likely < size() && interner_.key(likely) == key) return StackId{likely};
    return StackId(interner_.intern(
        key, [&](uint32_t row) { return interner_.key(row) == key; }, [] { return true; }));
  }

  [[nodiscard]] StackId parent(StackId id) const {
    const uint32_t row = static_cast<uint32_t>(interner_.key(id.value())) & kNone;
    return row == kNone ? StackId::none() : StackId{row};
  }
  [[nodiscard]] FrameId frame(StackId id) const {
    return FrameId{static_cast<uint32_t>(interner_.key(id.value()) >> kBits)};
  }
  [[nodiscard]] uint32_t size() const { return interner_.rows(); }
  // Without room to grow.
  [[nodiscard]] size_t bytes() const { return interner_.bytes(); }

 private:
  static constexpr uint32_t kNone = kMaxStacks;

  // A parent's row comes before its children's, since an id is only ever returned by intern(): there are no cycles.
  InternerOf<Word, kBits> interner_;
};

// Of a page. Endless recursion stops growing there: 3 MB with the hash table, and as JSON still less than the memory can hold twice.
// There are fewer frames than 2^28: memory ends before.
using StackTrie = StackTrieOf<uint64_t, 18>;

}  // namespace polyprof
