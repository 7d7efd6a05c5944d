#include "runtime/json_writer.h"

#include <catch2/catch.hpp>
#include <string>

using polyprof::Column;
using polyprof::JsonWriter;

namespace {

template <class Write>
std::string written(Write write) {
  Column<uint8_t> out;
  JsonWriter json(into(out));
  write(json);
  REQUIRE(json.finish());
  return {out.begin(), out.end()};
}

std::string as_string(std::string_view text) {
  return written([&](JsonWriter& json) { json.string(text); });
}

std::string as_milliseconds(int64_t microseconds) {
  return written([&](JsonWriter& json) { json.milliseconds(microseconds); });
}

}  // namespace

TEST_CASE("strings are quoted, and what JSON must not hold is escaped") {
  using namespace std::string_view_literals;
  CHECK(as_string("") == R"("")");
  CHECK(as_string("plain / text'") == R"("plain / text'")");
  CHECK(as_string(R"(a"b\c)") == R"("a\"b\\c")");
  CHECK(as_string("\n\t\x01\x1f\0\x7f"sv) == "\"\\u000a\\u0009\\u0001\\u001f\\u0000\x7f\"");
}

TEST_CASE("well-formed UTF-8 stays as it is, up to the last code point") {
  for (const char* text : {"ümläut", "\xC2\x80", "\xDF\xBF", "\xE0\xA0\x80", "\xED\x9F\xBF", "\xEE\x80\x80",
                           "\xEF\xBF\xBF", "\xF0\x90\x80\x80", "\xF4\x8F\xBF\xBF"}) {
    CHECK(as_string(text) == '"' + std::string(text) + '"');
  }
}

TEST_CASE("each byte that is no UTF-8 becomes a replacement character") {
  const std::string replacement = "\xEF\xBF\xBD";
  const auto expect = [&](std::string_view text, std::string_view replaced) {
    std::string expected;
    for (const char c : replaced) expected += c == '?' ? replacement : std::string(1, c);
    CHECK(as_string(text) == '"' + expected + '"');
  };
  expect("a\x80z", "a?z");             // a continuation alone
  expect("\xC0\xAF", "??");            // overlong
  expect("\xC1\xBF", "??");            // overlong
  expect("\xE0\x9F\xBF", "???");       // overlong
  expect("\xF0\x8F\xBF\xBF", "????");  // overlong
  expect("\xED\xA0\x80", "???");       // a surrogate
  expect("\xF4\x90\x80\x80", "????");  // above 10FFFF
  expect("\xF5\xFF", "??");            // no lead byte
  expect("\xE2\x82", "??");            // cut off
  expect("\xF0\x9F\x92", "???");       // cut off
  expect("\xC3\"", "?\\\"");           // what follows is still escaped
}

TEST_CASE("numbers have all their digits") {
  const auto number = [](uint64_t value) { return written([&](JsonWriter& json) { json.number(value); }); };
  CHECK(number(0) == "0");
  CHECK(number(10) == "10");
  CHECK(number(UINT64_MAX) == "18446744073709551615");
}

TEST_CASE("times are in milliseconds with as many decimals as they need") {
  CHECK(as_milliseconds(0) == "0");
  CHECK(as_milliseconds(1) == "0.001");
  CHECK(as_milliseconds(20) == "0.02");
  CHECK(as_milliseconds(300) == "0.3");
  CHECK(as_milliseconds(12'345'678) == "12345.678");
  CHECK(as_milliseconds(5'000) == "5");
  CHECK(as_milliseconds(-1'050) == "-1.05");
  CHECK(as_milliseconds(INT64_MAX) == "9223372036854775.807");
  CHECK(as_milliseconds(INT64_MIN) == "-9223372036854775.808");
}

TEST_CASE("what is longer than a piece is written whole") {
  const std::string text(100'000, 'x');
  CHECK(as_string(text) == '"' + text + '"');
}
