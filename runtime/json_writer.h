#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "runtime/column.h"

namespace polyprof {

// Appends JSON to bytes. When there is no memory it stops writing, and failed() tells.
class JsonWriter {
 public:
  explicit JsonWriter(Column<uint8_t>& out) : out_(out) {}

  [[nodiscard]] bool failed() const { return failed_; }

  // As it is: punctuation and member names.
  void raw(std::string_view text);

  // Quoted and escaped; bytes that are no UTF-8 become U+FFFD.
  void string(std::string_view text);

  void number(uint64_t value);

  // Microseconds, written as milliseconds with up to three decimals.
  void milliseconds(int64_t microseconds);

 private:
  void escaped(unsigned char c);

  Column<uint8_t>& out_;
  bool failed_ = false;
};

}  // namespace polyprof
