#include "runtime/shadow_stack.h"

#include <algorithm>

namespace polyprof {

Status ShadowStack::read(Column<uint32_t>& ids, Counters& counters) const {
  ids.truncate(0);
  const auto capacity = static_cast<uint32_t>(cells_.size());
  uint32_t depth = cell(0) - 1;
  uint32_t stored = std::min(depth, capacity - 1);
  do {
    const uint32_t known = ids.size();
    if (!ids.resize(stored, kGap)) return Status::kOutOfMemory;
    for (uint32_t row = known; row < stored; ++row) ids[row] = cell(row + 1);
    depth = cell(0) - 1;
    stored = std::min(depth, capacity - 1);
  } while (stored > ids.size() + 1);

  const uint32_t leaf = cell(stored);  // of an empty stack: the depth's own cell, not used
  if (depth > kMaxDepth) {             // also when the cell is 0
    ids.truncate(0);
    count(counters.garbled_stacks);
    return Status::kOk;
  }
  if (depth > stored) count(counters.truncated_stacks);
  if (!ids.resize(stored, leaf)) return Status::kOutOfMemory;
  if (stored == 0) return Status::kOk;
  ids[stored - 1] = leaf;

  // Rows of callers that changed: [first_bad, end_bad).
  uint32_t first_bad = stored;
  uint32_t end_bad = 0;
  for (uint32_t row = stored - 1; row-- > 0;) {
    if (cell(row + 1) == ids[row]) continue;
    first_bad = row;
    end_bad = std::max(end_bad, row + 1);
  }
  if (end_bad == 0) return Status::kOk;
  count(counters.torn_stacks);
  ids[first_bad++] = kGap;
  while (end_bad < stored) ids[first_bad++] = ids[end_bad++];
  ids.truncate(first_bad);
  return Status::kOk;
}

}  // namespace polyprof
