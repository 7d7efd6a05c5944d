#include "runtime/stack_text.h"

#include <catch2/catch.hpp>
#include <ostream>
#include <string>
#include <vector>

#include "test/runtime/random.h"

using polyprof::clean_name;
using polyprof::Position;
using polyprof::StackText;
using polyprof::TextFrame;
using Kind = TextFrame::Kind;

namespace {

std::vector<TextFrame> frames_of(std::string_view text) {
  StackText frames(text);
  std::vector<TextFrame> all;
  for (TextFrame frame{}; frames.next(frame);) all.push_back(frame);
  return all;
}

TextFrame only_frame(std::string_view text) {
  const auto frames = frames_of(text);
  REQUIRE(frames.size() == 1);
  return frames[0];
}

// The one frame of the text, which is in a script, as "name|url|line|column".
std::string script_frame(std::string_view text) {
  const TextFrame frame = only_frame(text);
  INFO(text);
  REQUIRE(frame.kind == Kind::kScript);
  return std::string(frame.name) + "|" + std::string(frame.url) + "|" + std::to_string(frame.position.line) +
         "|" + std::to_string(frame.position.column);
}

Kind kind_of(std::string_view text) { return only_frame(text).kind; }

}  // namespace

TEST_CASE("an empty text has no frames") {
  CHECK(frames_of("").empty());
  CHECK(frames_of("\n\n").empty());
}

TEST_CASE("SpiderMonkey and JSC: named and anonymous functions") {
  CHECK(script_frame("f@https://a.b/c.js:1:2\n") == "f|https://a.b/c.js|1|2");
  CHECK(script_frame("@https://a.b/c.js:1:2") == "|https://a.b/c.js|1|2");
  CHECK(script_frame("outer/f<@https://a.b/c.js:1:2") == "outer/f<|https://a.b/c.js|1|2");
  CHECK(script_frame("f@blob:https://a.b/1-2:3:4") == "f|blob:https://a.b/1-2|3|4");
  CHECK(script_frame("f@data:text/javascript,a@b:3:4") == "f|data:text/javascript,a@b|3|4");
}

TEST_CASE("SpiderMonkey and JSC: names and addresses may hold '@', spaces and colons") {
  CHECK(script_frame("a key (with) @ signs:1:2@http://a.b:80/c.js:3:4") ==
        "a key (with) @ signs:1:2|http://a.b:80/c.js|3|4");
  CHECK(script_frame("me@home@https://a.b/c.js:1:2") == "me@home|https://a.b/c.js|1|2");
  CHECK(script_frame("me@home:now@https://a.b/c.js:1:2") == "me@home:now|https://a.b/c.js|1|2");
  CHECK(script_frame("f@https://a.b/@scope/pkg@1.2.3/c.js:1:2") == "f|https://a.b/@scope/pkg@1.2.3/c.js|1|2");
  CHECK(script_frame("@https://a.b/@scope/c.js?x=y@z:1:2") == "|https://a.b/@scope/c.js?x=y@z|1|2");
  CHECK(script_frame("f@https://a.b/@https://c.d/e.js:1:2") == "f|https://a.b/@https://c.d/e.js|1|2");
  CHECK(script_frame("f@generated.js:1:2") == "f|generated.js|1|2");
}

TEST_CASE("SpiderMonkey and JSC: built-ins, evaluated code and WebAssembly have no script") {
  for (const char* text :
       {"sort@[native code]", "Derived@", "eval code@", "[native code]@[native code]",
        "f@https://a.b/c.js line 122 > eval:1:31", "anonymous@https://a.b/c.js line 3 > Function:3:7",
        "f@https://a.b/c.js line 1 > eval line 1 > eval:1:1", "f@self-hosted:12:3", "f@self-hosted",
        "<?>.wasm-function[3]@[wasm code]", "f@https://a.b/c.wasm:wasm-function[3]:0x1f"}) {
    INFO(text);
    CHECK(kind_of(text) == Kind::kNoScript);
  }
}

TEST_CASE("SpiderMonkey: a frame with the cause of an asynchronous call is a boundary") {
  for (const char* cause :
       {"async", "promise callback", "setTimeout handler", "setInterval handler", "EventListener.handleEvent",
        "EventHandlerNonNull", "FrameRequestCallback", "MutationCallback"}) {
    INFO(cause);
    CHECK(kind_of(std::string(cause) + "*f@https://a.b/c.js:1:2") == Kind::kAsyncBoundary);
    CHECK(kind_of(std::string(cause) + "*@https://a.b/c.js:1:2") == Kind::kAsyncBoundary);
  }
  CHECK(script_frame("2*3@https://a.b/c.js:1:2") == "2*3|https://a.b/c.js|1|2");
}

TEST_CASE("lines in no known form are told apart from frames") {
  CHECK(kind_of("nothing") == Kind::kUnparsed);
  CHECK(kind_of("f@https://a.b/c.js") == Kind::kUnparsed);
  CHECK(kind_of("f@https://a.b/c.js:1") == Kind::kUnparsed);
  CHECK(kind_of("f@https://a.b/c.js:0:1") == Kind::kUnparsed);
  CHECK(kind_of("f@https://a.b/c.js:1:0") == Kind::kUnparsed);
  CHECK(kind_of("f@https://a.b/c.js:1:4294967296") == Kind::kUnparsed);
  CHECK(kind_of("f@https://a.b/c.js:99999999999999999999:1") == Kind::kUnparsed);
  CHECK(kind_of("f@:1:2") == Kind::kUnparsed);
  CHECK(script_frame("f@https://a.b/c.js:4294967295:4294967295") ==
        "f|https://a.b/c.js|4294967295|4294967295");
  const auto frames = frames_of("f@https://a.b/c.js:1:2\nodd\ng@https://a.b/c.js:3:4");
  REQUIRE(frames.size() == 3);
  CHECK(frames[1].kind == Kind::kUnparsed);
  CHECK(frames[2].name == "g");
}

TEST_CASE("V8's frames, as they are put into these words, have a script or none") {
  CHECK(script_frame("f@https://a.b/c.js:1:2\n") == "f|https://a.b/c.js|1|2");
  CHECK(script_frame("new Shape@https://a.b/c.js:1:2") == "new Shape|https://a.b/c.js|1|2");
  CHECK(script_frame("f@webpack-internal:///./a.js:3:4") == "f|webpack-internal:///./a.js|3|4");
  for (const char* text :
       {"sort@", "@<anonymous>", "eval@eval at f (https://a.b/c.js:1:2), <anonymous>:3:4",
        "f@wasm://wasm/8a3e:1:31", "f@wasm://wasm/8a3e:wasm-function[3]:0x1f", "f@native"}) {
    INFO(text);
    CHECK(kind_of(text) == Kind::kNoScript);
  }
}

TEST_CASE("a name is cleaned of what engines add") {
  CHECK(clean_name("f") == "f");
  CHECK(clean_name("") == "");
  CHECK(clean_name("Object.f") == "f");
  CHECK(clean_name("a.b.c") == "c");
  CHECK(clean_name("new Shape") == "Shape");
  CHECK(clean_name("new a.Shape") == "Shape");
  CHECK(clean_name("new <anonymous>").empty());
  CHECK(clean_name("Object.f [as g]") == "f");
  CHECK(clean_name("Object.<anonymous>") == "");
  CHECK(clean_name("<anonymous>") == "");
  CHECK(clean_name("get size") == "get size");
  CHECK(clean_name("Shape.get size [as size]") == "get size");
  CHECK(clean_name("[Symbol.iterator]") == "[Symbol.iterator]");
  CHECK(clean_name("Shape.[Symbol.iterator]") == "[Symbol.iterator]");
  CHECK(clean_name("#secret") == "#secret");
  CHECK(clean_name("Shape.#secret") == "#secret");
  CHECK(clean_name("global code") == "");
  CHECK(clean_name("module code") == "");
  CHECK(clean_name("eval code") == "");
  CHECK(clean_name("outer/inner") == "inner");
  CHECK(clean_name("outer/f<") == "");
  CHECK(clean_name("outer/<") == "");
  CHECK(clean_name("globalThis.recordAll/</<") == "");
  CHECK(clean_name(".") == ".");
  CHECK(clean_name("f.") == "f.");
}

TEST_CASE("a text of any bytes ends, and its frames stay within it") {
  static constexpr std::string_view kPieces[] = {
      "async*", " (",  ")",  "@",          "@",        "@",           ":1:2",
      ":",      "",    "\r", "http://h/a", "eval at ", "<anonymous>", "[native code]",
      " > ",    "*",   "/",  "<",          "\0x",      "\xFF",        "99999999999",
      " [as ",  "new "};
  EACH_SEED(random, 3000) {
    INFO("seed " << seed_of_random);
    std::string text;
    for (uint32_t i = random.below(30); i > 0; --i) text += kPieces[random.below(std::size(kPieces))];
    const auto is_within = [&](std::string_view part) {
      return part.empty() ||
             (part.data() >= text.data() && part.data() + part.size() <= text.data() + text.size());
    };
    const auto frames = frames_of(text);
    REQUIRE(frames.size() <= text.size());
    for (const TextFrame& frame : frames) {
      REQUIRE(is_within(frame.name));
      REQUIRE(is_within(frame.url));
      REQUIRE(is_within(clean_name(frame.name)));
      if (frame.kind != Kind::kScript) continue;
      REQUIRE_FALSE(frame.url.empty());
      REQUIRE(frame.position.line > 0);
      REQUIRE(frame.position.column > 0);
    }
  }
}
