#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "runtime/byte_sink.h"

namespace polyprof {

// Writes JSON to a sink, in pieces of a few kilobytes. When the sink has no room it stops writing, and finish() tells.
class JsonWriter {
 public:
  explicit JsonWriter(ByteSink out) : out_(out) {}

  // Hands over what is left. False when something could not be written.
  [[nodiscard]] bool finish();

  // As it is: punctuation and member names.
  void raw(std::string_view text);

  // Quoted and escaped; bytes that are no UTF-8 become U+FFFD.
  void string(std::string_view text);

  void number(uint64_t value);

  // Microseconds, written as milliseconds with up to three decimals.
  void milliseconds(int64_t microseconds);

 private:
  void escaped(unsigned char c);

  static constexpr size_t kPieceBytes = 4096;

  ByteSink out_;
  uint8_t piece_[kPieceBytes];
  size_t size_ = 0;
  bool failed_ = false;
};

}  // namespace polyprof
