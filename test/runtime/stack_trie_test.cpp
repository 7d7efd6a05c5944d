#include "runtime/stack_trie.h"

#include <catch2/catch.hpp>
#include <map>
#include <vector>

#include "runtime/trace_fold.h"
#include "test/runtime/random.h"

using polyprof::FrameId;
using polyprof::StackId;
using polyprof::StackTrie;

namespace {

using Frames = std::vector<uint32_t>;  // outermost first

StackId intern(StackTrie& trie, const Frames& frames) {
  StackId stack;
  for (const uint32_t frame : frames) stack = trie.intern(stack, FrameId(frame));
  return stack;
}

Frames frames_of(const StackTrie& trie, StackId stack) {
  Frames frames;
  for (; !stack.is_none(); stack = trie.parent(stack))
    frames.insert(frames.begin(), trie.frame(stack).value());
  return frames;
}

}  // namespace

TEST_CASE("random stacks get the ids that a map from frames to ids gives them") {
  EACH_SEED(random, 50) {
    INFO("seed " << seed_of_random);
    StackTrie trie;
    std::map<Frames, StackId> model;
    for (int i = 0; i < 200; ++i) {
      Frames frames(random.between(1, 12));
      for (uint32_t& frame : frames) frame = random.below(3);
      const StackId stack = intern(trie, frames);
      REQUIRE(model.emplace(frames, stack).first->second == stack);
    }
    std::map<uint32_t, Frames> by_id;
    for (const auto& [frames, stack] : model) {
      REQUIRE(frames_of(trie, stack) == frames);
      REQUIRE(by_id.emplace(stack.value(), frames).second);
    }
  }
}

TEST_CASE("a caller's stack comes before those of its callees") {
  EACH_SEED(random, 20) {
    INFO("seed " << seed_of_random);
    StackTrie trie;
    for (int i = 0; i < 200; ++i) {
      const uint32_t parent = random.below(trie.size() + 1);
      const bool is_outermost = parent == trie.size();
      (void)trie.intern(is_outermost ? StackId::none() : StackId(parent), FrameId(random.below(10)));
    }
    for (uint32_t row = 0; row < trie.size(); ++row) {
      const StackId parent = trie.parent(StackId(row));
      REQUIRE((parent.is_none() || parent.value() < row));
    }
  }
}

TEST_CASE("recursion makes a stack of its own for each depth") {
  StackTrie trie;
  const StackId once = intern(trie, {5});
  const StackId twice = intern(trie, {5, 5});
  CHECK_FALSE(once == twice);
  CHECK(trie.parent(twice) == once);
}

TEST_CASE("a page's stack takes at most 12 bytes, a tool's 20") {
  StackTrie trie;
  polyprof::TraceFold::Paths paths;
  StackId last;
  for (uint32_t i = 0; i < 10'000; ++i) {
    last = trie.intern(last, FrameId(i));
    REQUIRE(paths.intern(last, FrameId(i)) == last);
    if (i < 32) continue;
    REQUIRE(trie.bytes() <= size_t{12} * trie.size());
    REQUIRE(paths.bytes() <= size_t{20} * paths.size());
  }
}

TEST_CASE("a full trie refuses new stacks and still knows the old ones") {
  StackTrie trie;
  StackId last;
  for (uint32_t i = 0; i < StackTrie::kMaxStacks; ++i) last = trie.intern(last, FrameId(1));
  REQUIRE(last == StackId(StackTrie::kMaxStacks - 1));
  CHECK(trie.intern(last, FrameId(1)).is_none());
  CHECK(trie.intern(StackId::none(), FrameId(2)).is_none());
  CHECK(trie.size() == StackTrie::kMaxStacks);
  CHECK(trie.intern(StackId::none(), FrameId(1)) == StackId(0));
}
