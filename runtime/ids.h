#pragma once

#include <cstdint>

namespace polyprof {

// An index into one table, typed so that it cannot be used with another. none() is no row at all.
template <class Tag>
class Id {
 public:
  constexpr Id() = default;
  constexpr explicit Id(uint32_t value) : value_(value) {}

  static constexpr Id none() { return Id(); }

  [[nodiscard]] constexpr bool is_none() const { return value_ == kNone; }
  [[nodiscard]] constexpr uint32_t value() const { return value_; }

  friend constexpr bool operator==(Id, Id) = default;

 private:
  static constexpr uint32_t kNone = UINT32_MAX;

  uint32_t value_ = kNone;
};

using NameId = Id<struct NameTag>;        // a function name or an address, in a StringTable
using ResourceId = NameId;                // addresses are strings as well
using FrameId = Id<struct FrameTag>;      // FrameTable
using StackId = Id<struct StackTag>;      // StackTrie
using ScriptRow = Id<struct ScriptTag>;   // ScriptTable; a script's id is what its build gave it
using SessionId = Id<struct SessionTag>;  // SessionGroup

}  // namespace polyprof
