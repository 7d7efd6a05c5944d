#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "runtime/column.h"

namespace polyprof {

// Mixes a word into a hash; multiplication and rotation as in FxHash, which is fast and good enough for dense ids.
constexpr uint32_t mix(uint32_t hash, uint32_t word) { return (std::rotl(hash, 5) ^ word) * 0x9E3779B9u; }

// Rows of a hash table, linked to chains. Each is one word, so that a look-up reads no more of those that it meets: a key and, in the
// lower bits, the next row of its chain; all ones: the last one. Chains have one to two rows on average: 2 to 4 bytes per row.
template <class Word>
struct Chains {
  // The first row of the key's chain. There must be chains.
  uint32_t& of(Word key) { return firsts[static_cast<uint32_t>(key ^ key >> 27) * 0x9E3779B9u >> shift]; }

  // Twice as many chains. False, and unchanged, when there is no memory.
  [[gnu::noinline]] bool grow(uint32_t link_bits) {
    const uint32_t size = firsts.empty() ? 32 : firsts.size() * 2;
    Column<uint32_t> grown;
    if (!grown.resize(size, UINT32_MAX >> (32 - link_bits))) return false;
    firsts = std::move(grown);
    shift = 32 - static_cast<uint32_t>(std::countr_zero(size));
    for (uint32_t row = 0; row < words.size(); ++row) {
      const Word key = words[row] >> link_bits;
      uint32_t& first = of(key);
      words[row] = key << link_bits | first;
      first = row;
    }
    return true;
  }

  Column<Word> words;       // by row
  Column<uint32_t> firsts;  // by chain
  uint32_t shift = 0;
};

// The one hash table of the core: from a row's content to its number. A row's key is a hash of the content, which lives in the caller's
// columns, or the content itself; what has more bits than the word above kLinkBits is cut off.
template <class Word, uint32_t kLinkBits>
class InternerOf {
 public:
  static constexpr uint32_t kMaxRows = UINT32_MAX >> (32 - kLinkBits);
  static constexpr uint32_t kNoMemory = UINT32_MAX;  // none() as the value of an id

  // The number of the row that equals(row) holds for; else of the one that push() appends as number rows(). kNoMemory when there is none
  // for it, or kMaxRows are there.
  // push(): appends the content to the columns; false when it could not, with the columns as before.
  template <class Equals, class Push>
  uint32_t intern(Word key, Equals equals, Push push) {
    if (rows() >= uint64_t{chains_.firsts.size()} * 2 && !chains_.grow(kLinkBits)) return kNoMemory;
    uint32_t& first = chains_.of(key);
    for (uint32_t row = first; row != kMaxRows; row = static_cast<uint32_t>(chains_.words[row]) & kMaxRows) {
      if (equals(row)) return row;
    }
    const uint32_t row = rows();
    if (row == kMaxRows || !chains_.words.reserve(uint64_t{row} + 1) || !push()) return kNoMemory;
    (void)chains_.words.push(key << kLinkBits | first);
    return first = row;
  }

  [[nodiscard]] uint32_t rows() const { return chains_.words.size(); }
  [[nodiscard]] Word key(uint32_t row) const { return chains_.words[row] >> kLinkBits; }
  // Without room to grow.
  [[nodiscard]] size_t bytes() const {
    return chains_.words.size() * sizeof(Word) + chains_.firsts.size() * sizeof(uint32_t);
  }

 private:
  Chains<Word> chains_;
};

using Interner = InternerOf<uint64_t, 32>;

}  // namespace polyprof
