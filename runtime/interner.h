#pragma once

#include <bit>
#include <cstdint>

#include "runtime/column.h"

namespace polyprof {

// Mixes a word into a hash; multiplication and rotation as in FxHash, which is fast and good enough for dense ids.
constexpr uint32_t mix(uint32_t hash, uint32_t word) { return (std::rotl(hash, 5) ^ word) * 0x9E3779B9u; }

// The one hash table of the core: from a row's content to its number. The rows themselves live in the caller's columns, so the
// table holds nothing but row numbers and, to grow without them, the rows' hashes; open addressing, linear probing, at most three quarters full.
class Interner {
 public:
  struct Result {
    uint32_t row;  // kNoMemory when it could not be added
    bool is_new;   // the caller must have pushed the row's content
  };
  static constexpr uint32_t kNoMemory = UINT32_MAX;

  // The number of the row that equals(row) holds for; else of the one that push() appends as number rows().
  // push(): appends the content to the columns; false when it could not, with the columns as before.
  template <class Equals, class Push>
  Result intern(uint32_t hash, Equals equals, Push push) {
    if (uint64_t{rows() + 1} * 4 > uint64_t{slots_.size()} * 3 && !grow()) return {kNoMemory, false};
    uint32_t slot = start(hash);
    for (; slots_[slot] != kEmpty; slot = next(slot)) {
      if (equals(slots_[slot])) return {slots_[slot], false};
    }
    if (!hashes_.reserve(uint64_t{rows()} + 1) || !push()) return {kNoMemory, false};
    const uint32_t row = rows();
    slots_[slot] = row;
    return {row, hashes_.push(hash)};
  }

  [[nodiscard]] uint32_t rows() const { return hashes_.size(); }

 private:
  static constexpr uint32_t kEmpty = UINT32_MAX;

  // The high bits are the well-mixed ones.
  [[nodiscard]] uint32_t start(uint32_t hash) const { return hash >> shift_; }
  [[nodiscard]] uint32_t next(uint32_t slot) const { return (slot + 1) & (slots_.size() - 1); }

  [[gnu::noinline]] bool grow() {
    const uint32_t size = slots_.empty() ? 64 : slots_.size() * 2;
    Column<uint32_t> slots;
    if (!slots.resize(size, kEmpty)) return false;
    slots_ = std::move(slots);
    shift_ = 32 - static_cast<uint32_t>(std::countr_zero(size));
    for (uint32_t row = 0; row < rows(); ++row) {
      uint32_t slot = start(hashes_[row]);
      while (slots_[slot] != kEmpty) slot = next(slot);
      slots_[slot] = row;
    }
    return true;
  }

  Column<uint32_t> slots_;
  Column<uint32_t> hashes_;  // by row
  uint32_t shift_ = 0;
};

}  // namespace polyprof
