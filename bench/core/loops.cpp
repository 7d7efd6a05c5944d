#include "bench/core/loops.h"

#include <string>
#include <unordered_map>
#include <vector>

#include "runtime/sample_buffer.h"
#include "runtime/stack_text.h"
#include "runtime/stack_trie.h"

using polyprof::FrameId;
using polyprof::StackId;
using polyprof::StackText;
using polyprof::StackTrie;
using polyprof::TextFrame;

namespace {

constexpr uint32_t kStacks = 1000;
constexpr uint32_t kDifferent = 50;  // of those that have been there before
constexpr uint32_t kFunctions = 400;

std::vector<std::vector<uint32_t>> stacks;
std::string text;
double node_bytes = 0;

struct PairHash {
  size_t operator()(uint64_t key) const { return std::hash<uint64_t>{}(key * 0x9E3779B97F4A7C15u); }
};

uint32_t next_random(uint32_t& state) { return state = state * 1664525u + 1013904223u, state >> 8; }

}  // namespace

uint32_t prepare_stacks(uint32_t depth, uint32_t hit_percent) {
  uint32_t state = 1;
  const auto random_stack = [&] {
    std::vector<uint32_t> stack(depth);
    for (uint32_t& frame : stack) frame = next_random(state) % kFunctions;
    return stack;
  };
  std::vector<std::vector<uint32_t>> known;
  for (uint32_t i = 0; i < kDifferent; ++i) known.push_back(random_stack());
  stacks.clear();
  for (uint32_t i = 0; i < kStacks; ++i) {
    const bool hits = next_random(state) % 100 < hit_percent;
    stacks.push_back(hits ? known[next_random(state) % kDifferent] : random_stack());
  }
  return kStacks * depth;
}

uint32_t intern_stacks() {
  StackTrie trie;
  uint32_t sum = 0;
  for (const auto& frames : stacks) {
    StackId stack;
    for (const uint32_t frame : frames) stack = trie.intern(stack, FrameId(frame));
    sum += stack.value();
  }
  node_bytes = static_cast<double>(trie.bytes()) / trie.size();
  return sum;
}

uint32_t intern_stacks_in_map() {
  std::unordered_map<uint64_t, uint32_t, PairHash> trie;
  uint32_t sum = 0;
  for (const auto& frames : stacks) {
    uint32_t stack = UINT32_MAX;
    for (const uint32_t frame : frames) {
      const uint64_t key = uint64_t{stack} << 32 | frame;
      stack = trie.try_emplace(key, static_cast<uint32_t>(trie.size())).first->second;
    }
    sum += stack;
  }
  return sum;
}

double bytes_per_node() { return node_bytes; }
uint32_t bytes_per_sample() { return sizeof(polyprof::Sample); }

uint32_t prepare_text(uint32_t depth) {
  text.clear();
  for (uint32_t i = 0; i < depth; ++i) {
    text += "someFunction" + std::to_string(i) +
            "@https://example.org/static/app.js:" + std::to_string(i + 1) + ":" + std::to_string(i * 7 + 3) +
            "\n";
  }
  return static_cast<uint32_t>(text.size());
}

uint32_t parse_text() {
  StackText frames(text);
  uint32_t sum = 0;
  for (TextFrame frame{}; frames.next(frame);) sum += frame.position.line;
  return sum;
}
