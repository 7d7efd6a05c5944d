#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "runtime/shadow_stack.h"

namespace polyprof::test {

// The page's side of the shadow stack: what probes do, in C++ terms. JavaScript's plain stores to shared memory are relaxed at least, and
// what runs on x86 or after a JIT keeps their order; release says so here.
class ShadowPage {
 public:
  explicit ShadowPage(uint32_t capacity) : cells_(capacity) { cells_[0].store(1); }

  // What the function keeps while it runs.
  uint32_t enter(uint32_t id) {
    const uint32_t depth = cells_[0].load(std::memory_order_relaxed);
    put(depth, id);
    put(0, depth + 1);
    return depth;
  }
  void leave(uint32_t depth) { put(0, depth); }

  // A store beyond the array is none, as in JavaScript.
  void put(uint32_t index, uint32_t value) {
    if (index < cells_.size()) cells_[index].store(value, std::memory_order_release);
  }

  [[nodiscard]] ShadowStack stack() const { return ShadowStack(cells_); }

 private:
  std::vector<std::atomic<uint32_t>> cells_;
};

}  // namespace polyprof::test
