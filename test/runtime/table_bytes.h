#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace polyprof::test {

using Bytes = std::vector<uint8_t>;

inline void put_u32(Bytes& bytes, uint32_t value) {
  for (uint32_t i = 0; i < 4; ++i) bytes.push_back(static_cast<uint8_t>(value >> (8 * i)));
}

inline void put_varint(Bytes& bytes, uint32_t value) {
  for (; value > 127; value >>= 7) bytes.push_back(static_cast<uint8_t>(value | 128));
  bytes.push_back(static_cast<uint8_t>(value));
}

inline void put_string(Bytes& bytes, std::string_view text) {
  put_varint(bytes, static_cast<uint32_t>(text.size()));
  bytes.insert(bytes.end(), text.begin(), text.end());
}

inline void put_checksum(Bytes& bytes) {
  uint32_t hash = 0x811C9DC5;
  for (const uint8_t byte : bytes) hash = (hash ^ byte) * 0x01000193;
  put_u32(bytes, hash);
}

struct TableRow {
  uint32_t line, column, end_line, end_column;
  uint32_t name;  // index
  uint32_t flags = 1;
  uint32_t definition_line = 0, definition_column = 0;  // 0: where the function starts
};

// Relative to a position before it.
inline void put_position(Bytes& bytes, uint32_t line, uint32_t column, uint32_t base_line,
                         uint32_t base_column) {
  put_varint(bytes, line - base_line);
  put_varint(bytes, line == base_line ? column - base_column : column);
}

// A function table as docs/function-table.md has it, written independently of its reader; rows in the order given, so that it can
// be wrong. No origins: the core leaves them unread.
inline Bytes table_bytes(uint32_t script_id, const std::vector<std::string>& names,
                         const std::vector<TableRow>& rows) {
  Bytes bytes{'P', 'P', 'F', 'T', 2};
  put_u32(bytes, script_id);
  put_varint(bytes, static_cast<uint32_t>(names.size()));
  for (const auto& name : names) put_string(bytes, name);
  put_varint(bytes, static_cast<uint32_t>(rows.size()));
  uint32_t line = 1;
  uint32_t column = 1;
  for (const auto& row : rows) {
    const uint32_t definition_line = row.definition_line == 0 ? row.line : row.definition_line;
    const uint32_t definition_column = row.definition_line == 0 ? row.column : row.definition_column;
    put_position(bytes, row.line, row.column, line, column);
    put_position(bytes, definition_line, definition_column, row.line, row.column);
    put_position(bytes, row.end_line, row.end_column, definition_line, definition_column);
    put_varint(bytes, row.name);
    put_varint(bytes, row.flags);
    line = row.line;
    column = row.column;
  }
  put_checksum(bytes);
  return bytes;
}

// The bytes with the checksum that they should have.
inline Bytes with_checksum(Bytes bytes) {
  bytes.resize(bytes.size() < 4 ? 0 : bytes.size() - 4);
  put_checksum(bytes);
  return bytes;
}

}  // namespace polyprof::test
