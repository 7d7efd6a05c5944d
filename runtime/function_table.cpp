#include "runtime/function_table.h"

#include <algorithm>

#include "runtime/byte_reader.h"

namespace polyprof {

namespace {

constexpr uint32_t kMagic = 0x54465050;  // "PPFT" read as little endian
constexpr uint8_t kVersion = 2;
constexpr size_t kChecksumBytes = 4;

uint32_t fnv1a(std::span<const uint8_t> bytes) {
  uint32_t hash = 0x811C9DC5;
  for (const uint8_t byte : bytes) hash = (hash ^ byte) * 0x01000193;
  return hash;
}

// A position written relative to another one: the line always, the column only on the same line. False: it overflows.
bool read_position(ByteReader& reader, Position base, Position& position) {
  const uint64_t lines = reader.varint();
  const uint64_t columns = reader.varint();
  const uint64_t line = base.line + lines;
  const uint64_t column = lines == 0 ? base.column + columns : columns;
  if (line > UINT32_MAX || column > UINT32_MAX || column == 0) return false;
  position = {static_cast<uint32_t>(line), static_cast<uint32_t>(column)};
  return !reader.failed();
}

}  // namespace

Status FunctionTable::read(std::span<const uint8_t> bytes, uint32_t script_id, StringTable& names) {
  functions_.truncate(0);
  if (bytes.size() < kChecksumBytes) return Status::kBadTable;
  const auto content = bytes.first(bytes.size() - kChecksumBytes);
  if (ByteReader(bytes.last(kChecksumBytes)).u32() != fnv1a(content)) return Status::kBadTable;
  ByteReader reader(content);
  if (reader.u32() != kMagic || reader.u8() != kVersion) return Status::kBadTable;
  const uint32_t own_id = reader.u32();
  if (reader.failed()) return Status::kBadTable;
  if (own_id != script_id) return Status::kTableMismatch;
  const Status status = read_functions(reader, names);
  if (status != Status::kOk) functions_.truncate(0);
  return status;
}

// The origins that follow the functions are for tools, not for the page: unread.
Status FunctionTable::read_functions(ByteReader& reader, StringTable& names) {
  Column<NameId> name_ids;
  const uint32_t name_count = reader.varint();
  for (uint32_t i = 0; i < name_count && !reader.failed(); ++i) {
    const NameId id = names.intern(reader.string());
    if (id.is_none() || !name_ids.push(id)) return Status::kOutOfMemory;
  }

  const uint32_t count = reader.varint();
  Position before{1, 1};
  uint32_t around = kNoFunction;
  for (uint32_t row = 0; row < count && !reader.failed(); ++row) {
    Function function{};
    if (!read_position(reader, before, function.start)) return Status::kBadTable;
    if (!read_position(reader, function.start, function.definition)) return Status::kBadTable;
    if (!read_position(reader, function.definition, function.end)) return Status::kBadTable;
    const uint32_t name = reader.varint();
    function.flags = reader.varint();
    if (reader.failed() || name >= name_ids.size()) return Status::kBadTable;
    function.name = name_ids[name];
    while (around != kNoFunction && functions_[around].end <= function.start) {
      around = functions_[around].parent;
    }
    if (around != kNoFunction && functions_[around].end < function.end) return Status::kBadTable;
    function.parent = around;
    before = function.start;
    around = row;
    if (!functions_.push(function)) return Status::kOutOfMemory;
  }
  return reader.failed() ? Status::kBadTable : Status::kOk;
}

const FunctionTable::Function* FunctionTable::find(Position position, bool is_start) const {
  const auto* after = std::upper_bound(functions_.begin(), functions_.end(), position,
                                       [](Position p, const Function& f) { return p < f.start; });
  if (after == functions_.begin()) return nullptr;
  const Function* function = after - 1;
  // What a computed key calls runs in the function around.
  while (!(position < function->end) || (!is_start && position < function->definition)) {
    if (function->parent == kNoFunction) return nullptr;
    function = &functions_[function->parent];
  }
  return function;
}

}  // namespace polyprof
