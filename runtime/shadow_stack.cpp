#include "runtime/shadow_stack.h"

namespace polyprof {

Status ShadowStack::read(Column<uint32_t>& ids, Counters& counters) const {
  const auto capacity = static_cast<uint32_t>(cells_.size());
  uint32_t depth = 0;
  uint32_t stable = 0;
  for (int tries = 0; tries < kTries; ++tries) {
    const uint32_t free = cell(0);
    depth = free - 1;
    const bool fits = depth < capacity;
    // The leaf's cell as early as can be: memory for the copy comes later.
    const uint32_t leaf = fits && depth > 0 ? cell(depth) : kGap;
    if (depth > kMaxDepth) {  // free == 0 as well
      count(counters.garbled_stacks);
      ids.truncate(0);
      return Status::kOk;
    }
    if (!fits) depth = capacity - 1;
    ids.truncate(0);
    if (!ids.resize(depth, leaf)) return Status::kOutOfMemory;
    for (uint32_t i = fits ? depth - 1 : depth; i > 0 && i <= depth; --i) ids[i - 1] = cell(i);
    stable = 0;
    while (stable < depth && ids[stable] == cell(stable + 1)) ++stable;
    if (stable + kAtOnce >= depth) {
      if (!fits) count(counters.truncated_stacks);
      return Status::kOk;
    }
  }
  count(counters.torn_stacks);
  for (uint32_t i = stable; i < depth - kAtOnce; ++i) ids[i] = kGap;
  // One gap is enough.
  const uint32_t leaves = depth - kAtOnce;
  uint32_t out = stable + 1;
  for (uint32_t i = leaves; i < depth; ++i) ids[out++] = ids[i];
  ids.truncate(out);
  return Status::kOk;
}

}  // namespace polyprof
