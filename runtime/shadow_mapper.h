#pragma once

#include "runtime/column.h"
#include "runtime/counters.h"
#include "runtime/frame_table.h"
#include "runtime/ids.h"
#include "runtime/shadow_stack.h"
#include "runtime/stack_trie.h"
#include "runtime/status.h"

namespace polyprof {

// From the shadow stack to a stack of the trie. Most callers of a sample are those of the sample before: these are not looked up again.
class ShadowMapper {
 public:
  ShadowMapper(FrameTable& frames, StackTrie& stacks, Counters& counters)
      : frames_(frames), stacks_(stacks), counters_(counters) {}

  struct Mapped {
    Status status;
    StackId id;  // none: nothing was running
  };
  // What runs now. kOutOfMemory.
  Mapped map(const ShadowStack& shadow) {
    if (shadow.read(ids_, counters_) != Status::kOk) return {Status::kOutOfMemory, {}};
    uint32_t known = 0;
    while (known < ids_.size() && known < path_.size() && path_[known].function_id == ids_[known]) ++known;
    path_.truncate(known);
    for (uint32_t i = known; i < ids_.size(); ++i) {
      const FrameId frame = frames_.intern(Frame::of_function(ids_[i]));
      if (frame.is_none()) return {Status::kOutOfMemory, {}};
      const StackId stack = stacks_.intern(i == 0 ? StackId::none() : path_[i - 1].stack, frame);
      if (stack.is_none() || !path_.push({ids_[i], stack})) return {Status::kOutOfMemory, {}};
    }
    return {Status::kOk, path_.empty() ? StackId::none() : path_.back().stack};
  }

 private:
  struct Step {
    uint32_t function_id;
    StackId stack;  // of this function and its callers
  };

  FrameTable& frames_;
  StackTrie& stacks_;
  Counters& counters_;
  Column<uint32_t> ids_;  // of the stack at hand; kept to reuse its memory
  Column<Step> path_;     // of the stack before
};

}  // namespace polyprof
