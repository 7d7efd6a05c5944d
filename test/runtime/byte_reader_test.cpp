#include "runtime/byte_reader.h"

#include <catch2/catch.hpp>
#include <vector>

#include "test/runtime/random.h"

using polyprof::ByteReader;

namespace {

using Bytes = std::vector<uint8_t>;

Bytes varint(uint64_t value) {
  Bytes bytes;
  for (; value > 127; value >>= 7) bytes.push_back(static_cast<uint8_t>(value | 128));
  bytes.push_back(static_cast<uint8_t>(value));
  return bytes;
}

uint32_t read_varint(const Bytes& bytes, bool fails) {
  ByteReader reader(bytes);
  const uint32_t value = reader.varint();
  CHECK(reader.failed() == fails);
  CHECK(reader.remaining() == 0);
  return value;
}

}  // namespace

TEST_CASE("bytes and words are read in order, words little endian") {
  const Bytes bytes{7, 0x78, 0x56, 0x34, 0x92, 9};
  ByteReader reader(bytes);
  CHECK(reader.u8() == 7);
  CHECK(reader.u32() == 0x92345678);
  CHECK(reader.remaining() == 1);
  CHECK(reader.u8() == 9);
  CHECK_FALSE(reader.failed());
}

TEST_CASE("a varint holds any 32-bit number") {
  CHECK(read_varint({0}, false) == 0);
  CHECK(read_varint({0x7F}, false) == 127);
  CHECK(read_varint({0x80, 0x01}, false) == 128);
  CHECK(read_varint({0xFF, 0xFF, 0xFF, 0xFF, 0x0F}, false) == UINT32_MAX);
  EACH_SEED(random, 1000) {
    INFO("seed " << seed_of_random);
    const uint32_t value = random.below(UINT32_MAX) >> random.below(32);
    CHECK(read_varint(varint(value), false) == value);
  }
}

TEST_CASE("a varint above 32 bits, or of more than five bytes, is none") {
  CHECK(read_varint({0x80, 0x80, 0x80, 0x80, 0x10}, true) == 0);
  CHECK(read_varint({0xFF, 0xFF, 0xFF, 0xFF, 0x7F}, true) == 0);
  CHECK(read_varint({0x80, 0x80, 0x80, 0x80, 0x80, 0x00}, true) == 0);
}

TEST_CASE("a read past the end gives 0, fails, and takes all later reads with it") {
  const Bytes bytes{0x81, 0x82, 0x83};
  SECTION("word") {
    ByteReader reader(bytes);
    CHECK(reader.u32() == 0);
    CHECK(reader.failed());
    CHECK(reader.u8() == 0);
  }
  SECTION("varint that does not end") { CHECK(read_varint(bytes, true) == 0); }
  SECTION("byte") {
    ByteReader reader(std::span<const uint8_t>{});
    CHECK(reader.u8() == 0);
    CHECK(reader.failed());
    CHECK(reader.string().empty());
  }
}

TEST_CASE("a string is its length and its bytes, and never longer than what is there") {
  const Bytes bytes{3, 'a', 'b', 'c', 0, 2, 'x'};
  ByteReader reader(bytes);
  CHECK(reader.string() == "abc");
  CHECK(reader.string().empty());
  CHECK_FALSE(reader.failed());
  CHECK(reader.string().empty());
  CHECK(reader.failed());
}
