#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace polyprof {

// Reads untrusted bytes. After the first read past the end, or of a number that is none, failed() holds and all reads give 0.
class ByteReader {
 public:
  explicit ByteReader(std::span<const uint8_t> bytes) : bytes_(bytes) {}

  [[nodiscard]] bool failed() const { return failed_; }
  [[nodiscard]] size_t remaining() const { return bytes_.size() - at_; }

  uint8_t u8() {
    if (remaining() < 1) return fail();
    return bytes_[at_++];
  }

  // Little endian.
  uint32_t u32() {
    if (remaining() < 4) return fail();
    uint32_t value = 0;
    for (uint32_t i = 0; i < 4; ++i) value |= uint32_t{bytes_[at_++]} << (8 * i);
    return value;
  }

  // Unsigned LEB128, at most 32 bits.
  uint32_t varint() {
    uint64_t value = 0;
    for (uint32_t shift = 0; shift < 35; shift += 7) {
      const uint8_t byte = u8();
      if (failed_) return 0;
      value |= uint64_t{byte & 0x7Fu} << shift;
      if ((byte & 0x80) == 0) return value > UINT32_MAX ? fail() : static_cast<uint32_t>(value);
    }
    return fail();
  }

  // A varint length and that many bytes; valid as long as the bytes are.
  std::string_view string() {
    const uint32_t length = varint();
    if (remaining() < length) {
      fail();
      return {};
    }
    const auto* start = reinterpret_cast<const char*>(bytes_.data() + at_);
    at_ += length;
    return {start, length};
  }

 private:
  uint8_t fail() {
    failed_ = true;
    at_ = bytes_.size();
    return 0;
  }

  std::span<const uint8_t> bytes_;
  size_t at_ = 0;
  bool failed_ = false;
};

}  // namespace polyprof
