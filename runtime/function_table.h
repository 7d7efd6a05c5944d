#pragma once

#include <cstdint>
#include <span>

#include "runtime/column.h"
#include "runtime/ids.h"
#include "runtime/status.h"
#include "runtime/string_table.h"

namespace polyprof {

// A place in a script: 1-based, columns in UTF-16 code units.
struct Position {
  uint32_t line;
  uint32_t column;

  // NOLINTNEXTLINE(modernize-use-nullptr): there is none
  friend auto operator<=>(const Position&, const Position&) = default;
};

// A script's functions, made at build time; the format is in docs/function-table.md.
class FunctionTable {
 public:
  enum Flag : uint32_t { kHasProbes = 1, kDelegates = 2, kNameAtRunTime = 4, kAsync = 32, kQuiet = 64 };

  struct Function {
    Position start;       // of its first character
    Position definition;  // what traces show
    Position end;         // exclusive
    NameId name;
    uint32_t flags;
    uint32_t parent;  // row of the function around it, kNoFunction at the outermost level

    [[nodiscard]] bool has(Flag flag) const { return (flags & flag) != 0; }
  };
  static constexpr uint32_t kNoFunction = UINT32_MAX;

  // Reads a table in the place of what is there: names go into `names`. kBadTable, with the table empty, for anything that is not
  // exactly one: wrong checksum, reads past the end, ranges that are not sorted or do not nest. script_id: the script's; kTableMismatch
  // when the table has another.
  Status read(std::span<const uint8_t> bytes, uint32_t script_id, StringTable& names);

  // The innermost function that holds the position, from its definition on, or from its start on, if it is one of those; nullptr: none.
  [[nodiscard]] const Function* find(Position position, bool is_start = false) const;

  [[nodiscard]] uint32_t size() const { return functions_.size(); }
  // In the order of the table.
  [[nodiscard]] const Function& at(uint32_t row) const { return functions_[row]; }

 private:
  Status read_functions(class ByteReader& reader, StringTable& names);

  // Sorted by start; a function comes after the one around it, so parent is always a smaller row.
  Column<Function> functions_;
};

}  // namespace polyprof
