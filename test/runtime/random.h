#pragma once

#include <cstdint>
#include <random>

namespace polyprof::test {

// Random numbers that are the same on each run (compilers differ in the order in which they evaluate arguments). Property tests name
// the seed in INFO, so that a failure prints it.
class Random {
 public:
  explicit Random(uint32_t seed) : engine_(seed) {}

  // 0 <= result < bound
  uint32_t below(uint32_t bound) { return static_cast<uint32_t>(uint64_t{engine_()} * bound >> 32); }

  // first <= result <= last
  uint32_t between(uint32_t first, uint32_t last) { return first + below(last - first + 1); }

  bool one_in(uint32_t n) { return below(n) == 0; }

 private:
  std::mt19937 engine_;
};

}  // namespace polyprof::test

// Runs the block for each of a fixed number of seeds: EACH_SEED(random, 100) { ... random.below(3) ... }
#define EACH_SEED(name, count)                                                   \
  for (uint32_t seed_of_##name = 1; seed_of_##name <= (count); ++seed_of_##name) \
    for (bool once_##name = true; once_##name;)                                  \
      for (::polyprof::test::Random name(seed_of_##name); once_##name; once_##name = false)
