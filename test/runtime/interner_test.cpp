#include "runtime/interner.h"

#include <catch2/catch.hpp>
#include <map>
#include <vector>

#include "test/runtime/random.h"

using polyprof::Interner;

namespace {

// The smallest table there can be: numbers, hashed as the test says.
class Numbers {
 public:
  explicit Numbers(uint32_t hash_mask) : hash_mask_(hash_mask) {}

  uint32_t intern(uint32_t number) {
    return interner_.intern(
        hash_of(number), [&](uint32_t row) { return rows_[row] == number; },
        [&] {
          if (is_out_of_memory) return false;
          rows_.push_back(number);
          return true;
        });
  }

  uint32_t rows() const { return interner_.rows(); }

  bool is_out_of_memory = false;

 private:
  uint32_t hash_of(uint32_t number) const { return polyprof::mix(0, number) & hash_mask_; }

  Interner interner_;
  std::vector<uint32_t> rows_;
  uint32_t hash_mask_;
};

}  // namespace

TEST_CASE("what is equal gets the row it got before, whatever the hashes") {
  const uint32_t hash_mask = GENERATE(0xFFFFFFFFu, 0xF0000000u, 0u);
  EACH_SEED(random, 20) {
    INFO("seed " << seed_of_random << ", hash mask " << hash_mask);
    Numbers numbers(hash_mask);
    std::map<uint32_t, uint32_t> model;
    for (int i = 0; i < 500; ++i) {
      const uint32_t number = random.below(300);
      const auto known = model.emplace(number, static_cast<uint32_t>(model.size())).first;
      REQUIRE(numbers.intern(number) == known->second);
      REQUIRE(numbers.rows() == model.size());
    }
  }
}

TEST_CASE("rows keep their numbers while the table grows") {
  Numbers numbers(UINT32_MAX);
  for (uint32_t i = 0; i < 50'000; ++i) REQUIRE(numbers.intern(i * 7) == i);
  for (uint32_t i = 0; i < 50'000; ++i) REQUIRE(numbers.intern(i * 7) == i);
}

TEST_CASE("a row that could not be pushed leaves no trace") {
  Numbers numbers(UINT32_MAX);
  REQUIRE(numbers.intern(1) == 0);
  numbers.is_out_of_memory = true;
  CHECK(numbers.intern(2) == Interner::kNoMemory);
  CHECK(numbers.intern(1) == 0);
  CHECK(numbers.rows() == 1);
  numbers.is_out_of_memory = false;
  CHECK(numbers.intern(2) == 1);
  CHECK(numbers.rows() == 2);
}
