#include <catch2/catch.hpp>
#include <map>
#include <string>

#include "runtime/frame_table.h"
#include "runtime/string_table.h"
#include "test/runtime/random.h"

using polyprof::Frame;
using polyprof::FrameId;
using polyprof::FrameTable;
using polyprof::NameId;
using polyprof::ResourceId;
using polyprof::StringTable;

TEST_CASE("texts are kept once, byte for byte, the empty one too") {
  EACH_SEED(random, 50) {
    INFO("seed " << seed_of_random);
    StringTable strings;
    std::map<std::string, NameId> model;
    for (int i = 0; i < 300; ++i) {
      std::string text;
      for (uint32_t length = random.below(4); length > 0; --length) {
        text += static_cast<char>(random.below(3) == 0 ? 0 : 'a' + random.below(3));
      }
      const NameId id = strings.intern(text);
      REQUIRE_FALSE(id.is_none());
      REQUIRE(model.emplace(text, id).first->second == id);
    }
    for (const auto& [text, id] : model) REQUIRE(strings.text(id) == text);
  }
}

TEST_CASE("a text that would take the table over its limit is refused, and smaller ones still fit") {
  StringTable strings;
  std::string megabyte(1u << 20, 'x');
  for (char c = 'A'; c < 'A' + 31; ++c) {
    megabyte[0] = c;
    REQUIRE_FALSE(strings.intern(megabyte).is_none());
  }
  REQUIRE_FALSE(strings.intern("small").is_none());
  megabyte[0] = '!';
  CHECK(strings.intern(megabyte).is_none());
  CHECK(strings.intern(megabyte).is_none());
  const NameId other = strings.intern("other");
  REQUIRE_FALSE(other.is_none());
  CHECK(strings.text(other) == "other");
  megabyte[0] = 'A';
  CHECK(strings.intern(megabyte) == NameId(0));
}

TEST_CASE("frames differ by name, resource, line and column") {
  FrameTable frames;
  const Frame base{NameId(1), ResourceId(2), 3, 4};
  const FrameId id = frames.intern(base);
  CHECK(frames.intern(base) == id);
  CHECK(frames.frame(id) == base);
  for (const Frame& other : {Frame{NameId(2), ResourceId(2), 3, 4}, Frame{NameId(1), ResourceId(1), 3, 4},
                             Frame{NameId(1), ResourceId::none(), 3, 4},
                             Frame{NameId(1), ResourceId(2), 4, 4}, Frame{NameId(1), ResourceId(2), 3, 3}}) {
    const FrameId other_id = frames.intern(other);
    CHECK_FALSE(other_id == id);
    CHECK(frames.frame(other_id) == other);
  }
  CHECK(frames.size() == 6);
}
