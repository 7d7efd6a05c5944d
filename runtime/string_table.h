#pragma once

#include <string_view>

#include "runtime/column.h"
#include "runtime/ids.h"
#include "runtime/interner.h"

namespace polyprof {

// Texts, each kept once: function names and addresses.
class StringTable {
 public:
  // none() when there is no memory, or the text would take the table over kMaxBytes.
  NameId intern(std::string_view text) {
    return NameId(interner_.intern(
        hash_of(text), [&](uint32_t row) { return at(row) == text; }, [&] { return push(text); }));
  }

  // Valid until the next intern().
  [[nodiscard]] std::string_view text(NameId id) const { return at(id.value()); }
  [[nodiscard]] uint32_t size() const { return ends_.size(); }

 private:
  static constexpr uint32_t kMaxBytes = 32u << 20;

  static uint32_t hash_of(std::string_view text) {
    auto hash = static_cast<uint32_t>(text.size());
    for (const char c : text) hash = mix(hash, static_cast<unsigned char>(c));
    return hash;
  }

  [[nodiscard]] std::string_view at(uint32_t row) const {
    const uint32_t begin = row == 0 ? 0 : ends_[row - 1];
    return {bytes_.data() + begin, ends_[row] - begin};
  }

  bool push(std::string_view text) {
    const uint32_t before = bytes_.size();
    if (text.size() > kMaxBytes - before || !bytes_.append(text)) return false;
    if (ends_.push(bytes_.size())) return true;
    bytes_.truncate(before);
    return false;
  }

  Column<char> bytes_;
  Column<uint32_t> ends_;  // of each text in bytes_; it starts where the one before ends
  Interner interner_;
};

}  // namespace polyprof
