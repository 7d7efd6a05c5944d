#pragma once

#include <bit>
#include <cstdint>

#include "runtime/column.h"

namespace polyprof {

// Mixes a word into a hash; multiplication and rotation as in FxHash, which is fast and good enough for dense ids.
constexpr uint32_t mix(uint32_t hash, uint32_t word) { return (std::rotl(hash, 5) ^ word) * 0x9E3779B9u; }

// The one hash table of the core: from a row's content to its number. The rows themselves live in the caller's columns, so the
// table holds nothing but row numbers; open addressing, linear probing, at most three quarters full.
class Interner {
 public:
  struct Result {
    uint32_t row;  // kNoMemory when it could not be added
    bool is_new;   // the caller must have pushed the row's content
  };
  static constexpr uint32_t kNoMemory = UINT32_MAX;

  // The number of the row that equals(row) holds for; else of the one that push() appends as number rows().
  // hash_of(row): the hash of a row that is in the columns, needed when the table grows.
  // push(): appends the content to the columns; false when it could not, with the columns as before.
  template <class Equals, class HashOf, class Push>
  Result intern(uint32_t hash, Equals equals, HashOf hash_of, Push push) {
    if (uint64_t{rows_ + 1} * 4 > uint64_t{slots_.size()} * 3 && !grow(hash_of)) return {kNoMemory, false};
    uint32_t slot = start(hash);
    for (; slots_[slot] != kEmpty; slot = next(slot)) {
      if (equals(slots_[slot])) return {slots_[slot], false};
    }
    if (!push()) return {kNoMemory, false};
    slots_[slot] = rows_;
    return {rows_++, true};
  }

  [[nodiscard]] uint32_t rows() const { return rows_; }

 private:
  static constexpr uint32_t kEmpty = UINT32_MAX;

  // The high bits are the well-mixed ones.
  [[nodiscard]] uint32_t start(uint32_t hash) const { return hash >> shift_; }
  [[nodiscard]] uint32_t next(uint32_t slot) const { return (slot + 1) & (slots_.size() - 1); }

  template <class HashOf>
  bool grow(HashOf hash_of) {
    const uint32_t size = slots_.empty() ? 64 : slots_.size() * 2;
    Column<uint32_t> slots;
    if (!slots.resize(size, kEmpty)) return false;
    slots_ = std::move(slots);
    shift_ = 32 - static_cast<uint32_t>(std::countr_zero(size));
    for (uint32_t row = 0; row < rows_; ++row) {
      uint32_t slot = start(hash_of(row));
      while (slots_[slot] != kEmpty) slot = next(slot);
      slots_[slot] = row;
    }
    return true;
  }

  Column<uint32_t> slots_;
  uint32_t rows_ = 0;
  uint32_t shift_ = 0;
};

}  // namespace polyprof
