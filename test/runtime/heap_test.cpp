#include "wasm/heap.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstring>
#include <vector>

#include "test/runtime/random.h"

using polyprof::Heap;

namespace {

constexpr size_t kArenaBytes = size_t{1} << 20;
constexpr size_t kPageBytes = 4096;

alignas(16) std::byte arena[kArenaBytes];
size_t arena_used = 0;

size_t grow_arena(size_t bytes) {
  const size_t grown = (bytes + kPageBytes - 1) / kPageBytes * kPageBytes;
  if (grown > kArenaBytes - arena_used) return 0;
  arena_used += grown;
  return grown;
}

Heap new_heap() {
  arena_used = 0;
  return {arena, grow_arena};
}

// A block full of one byte, which nobody else may change.
struct Held {
  unsigned char* data;
  size_t bytes;
  unsigned char mark;

  bool is_whole(size_t first_bytes) const {
    return std::all_of(data, data + first_bytes, [&](unsigned char byte) { return byte == mark; });
  }
};

}  // namespace

TEST_CASE("blocks that come, grow and go keep their bytes, and once all are gone the heap is one again") {
  EACH_SEED(random, 300) {
    INFO("seed " << seed_of_random);
    Heap heap = new_heap();
    std::vector<Held> held;
    unsigned char mark = 0;
    for (int step = 0; step < 300; ++step) {
      const size_t bytes = random.one_in(10) ? random.below(200'000) : random.below(3000);
      if (held.empty() || random.one_in(2)) {
        auto* data = static_cast<unsigned char*>(heap.allocate(bytes));
        if (data == nullptr) continue;
        REQUIRE(reinterpret_cast<uintptr_t>(data) % (2 * sizeof(void*)) == 0);
        held.push_back({data, bytes, ++mark});
        std::memset(data, mark, bytes);
      } else {
        Held& one = held[random.below(static_cast<uint32_t>(held.size()))];
        REQUIRE(one.is_whole(one.bytes));
        if (random.one_in(2)) {
          heap.release(one.data);
          one = held.back();
          held.pop_back();
          continue;
        }
        auto* data = static_cast<unsigned char*>(heap.resize(one.data, bytes));
        if (data == nullptr) continue;
        one.data = data;
        REQUIRE(one.is_whole(std::min(one.bytes, bytes)));
        one.bytes = bytes;
        std::memset(data, one.mark, bytes);
      }
    }
    for (const Held& one : held) REQUIRE(one.is_whole(one.bytes));
    for (const Held& one : held) heap.release(one.data);
    const size_t used = arena_used;
    if (used > 0) REQUIRE(heap.allocate(used - 2 * sizeof(void*)) == arena + 2 * sizeof(void*));
    REQUIRE(arena_used == used);
  }
}

TEST_CASE("the last block grows in place to the end of memory") {
  Heap heap = new_heap();
  void* first = heap.allocate(1000);
  void* last = heap.allocate(1000);
  for (size_t bytes = 2000; bytes < kArenaBytes - 10'000; bytes *= 2) {
    REQUIRE(heap.resize(last, bytes) == last);
  }
  CHECK(heap.resize(last, kArenaBytes - 2000) == last);
  CHECK(heap.resize(last, kArenaBytes) == nullptr);
  CHECK(heap.resize(first, 900) == first);
}

TEST_CASE("what there can never be is refused") {
  Heap heap = new_heap();
  CHECK(heap.allocate(SIZE_MAX) == nullptr);
  CHECK(heap.allocate(SIZE_MAX - 8) == nullptr);
  void* block = heap.allocate(1);
  REQUIRE(block != nullptr);
  CHECK(heap.resize(block, SIZE_MAX) == nullptr);
  heap.release(nullptr);
}
