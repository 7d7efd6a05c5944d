#include <catch2/catch.hpp>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "runtime/stack_text.h"

// What Error.stack said in three engines, on record in web-test/fixtures/stack_text, against where its functions are in the
// recorded site.

using polyprof::clean_name;
using polyprof::StackText;
using polyprof::TextFrame;
using Kind = TextFrame::Kind;

namespace {

const std::vector<std::string> kEngines{"chromium", "firefox", "webkit"};

using Texts = std::map<std::string, std::string>;  // by section

Texts read(const std::string& engine) {
  std::ifstream file(POLYPROF_STACK_TEXTS + engine + ".txt");
  REQUIRE(file.is_open());
  Texts texts;
  std::string* text = nullptr;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("=== ")) {
      text = &texts[line.substr(4)];
    } else {
      REQUIRE(text != nullptr);
      *text += line + '\n';
    }
  }
  return texts;
}

const Texts& recorded(const std::string& engine) {
  static std::map<std::string, Texts> cache;
  Texts& texts = cache[engine];
  if (texts.empty()) texts = read(engine);
  return texts;
}

struct Seen {
  std::vector<TextFrame> scripts;
  uint32_t without_script = 0;
  uint32_t unparsed = 0;
};

Seen seen_in(std::string_view text) {
  Seen seen;
  StackText frames(text);
  for (TextFrame frame{}; frames.next(frame);) {
    seen.scripts.insert(seen.scripts.end(), frame.kind == Kind::kScript ? 1 : 0, frame);
    seen.without_script += frame.kind == Kind::kNoScript ? 1 : 0;
    seen.unparsed += frame.kind == Kind::kUnparsed ? 1 : 0;
  }
  return seen;
}

// Of the function that called record(): where its source has the call, where it has the function's first character, which is what V8 is asked
// for (0: it is not asked), and its name.
struct Caller {
  const char* section;
  const char* file;
  uint32_t line;
  uint32_t first_line;
  const char* name;
  const char* name_in_firefox = nullptr;  // nullptr: as name
  const char* name_in_webkit = nullptr;
};

const Caller kCallers[] = {
    {"inline script, first line, after some columns", "index.html", 4, 4, "inlineOnFirstLine"},
    {"inline script, top level", "index.html", 5, 4, ""},
    {"static block", "classic.js", 7, 0, "<static_initializer>", "", ""},
    {"module script, top level", "module.js", 1, 1, ""},
    {"class constructor", "classic.js", 12, 11, "Shape"},
    {"arrow in a class field", "classic.js", 4, 4, "arrowField"},
    {"getter", "classic.js", 16, 15, "get getter"},
    {"setter", "classic.js", 20, 19, "set setter", nullptr, "setter"},
    {"method", "classic.js", 24, 23, "method"},
    {"static method", "classic.js", 28, 27, "staticMethod"},
    {"private method", "classic.js", 32, 31, "#privateMethod"},
    {"method with a computed key", "classic.js", 41, 40, "computed key", nullptr, ""},
    {"method with a symbol key", "classic.js", 45, 44, "[Symbol.iterator]", nullptr, ""},
    {"function in a function", "classic.js", 55, 54, "inner"},
    {"generator resumed", "classic.js", 71, 69, "generator"},
    {"native sort callback", "classic.js", 85, 84, "comparator"},
    {"anonymous arrow in forEach", "classic.js", 88, 88, ""},
    {"arrow in replace", "classic.js", 89, 89, ""},
    {"toJSON", "classic.js", 92, 91, "toJSON"},
    {"Reflect.apply", "classic.js", 97, 96, "reflected"},
    {"bound function", "classic.js", 103, 102, "bound"},
    {"proxy trap", "classic.js", 109, 108, "get"},
    {"toString by coercion", "classic.js", 115, 114, "toString"},
    {"name that looks like a frame", "classic.js", 128, 127, "a key (with) @ signs:1:2"},
    {"function named by its variable", "classic.js", 132, 131, "namedByVariable"},
    {"name with letters beyond ASCII", "classic.js", 134, 134, "ümläut"},
    {"recursion", "classic.js", 137, 136, "depth"},
    {"async function after await", "classic.js", 62, 60, "afterAwait"},
    {"async generator resumed", "classic.js", 80, 78, "asyncGenerator"},
    {"timer", "classic.js", 163, 163, ""},
    {"event handler", "classic.js", 167, 166, "handler"},
    {"event handler attribute", "index.html", 1, 1, "onclick"},
    {"module imported dynamically", "imported.js", 1, 1, ""},
    {"anonymous default export", "imported.js", 4, 3, "default", nullptr, "starDefault"},
};

// JSC leaves out functions whose only statement is the call, since it is a tail call; what it does name must be right then.
bool is_tail_call_in_webkit(std::string_view section) {
  return section == "arrow in a class field" || section == "getter" || section == "recursion" ||
         section == "name with letters beyond ASCII";
}

}  // namespace

TEST_CASE("every recorded line is read, and the first frame is the recorder's") {
  const std::string engine = GENERATE(from_range(kEngines));
  const auto& texts = recorded(engine);
  CHECK(texts.size() >= std::size(kCallers));
  for (const auto& [section, text] : texts) {
    INFO(engine << ": " << section << "\n" << text);
    const Seen seen = seen_in(text);
    CHECK(seen.unparsed == 0);
    REQUIRE(seen.scripts.size() >= 2);
    CHECK(seen.scripts[0].name == "record");
    CHECK(seen.scripts[0].url.ends_with("/index.html"));
    for (const TextFrame& frame : seen.scripts) {
      CHECK(frame.url.starts_with("http://127.0.0.1:8000/"));
      CHECK(frame.url.find_first_of(" ()@") == frame.url.npos);
    }
  }
}

TEST_CASE("in each engine the second frame is the function that called the recorder") {
  const std::string engine = GENERATE(from_range(kEngines));
  const auto& texts = recorded(engine);
  for (const Caller& caller : kCallers) {
    if (engine == "webkit" && is_tail_call_in_webkit(caller.section)) continue;
    INFO(engine << ": " << caller.section << "\n" << texts.at(caller.section));
    const Seen seen = seen_in(texts.at(caller.section));
    REQUIRE(seen.scripts.size() >= 2);
    if (engine == "chromium" && caller.first_line == 0) {
      CHECK(seen.without_script == 1);
      continue;
    }
    const TextFrame& frame = seen.scripts[1];
    CHECK(frame.url == std::string("http://127.0.0.1:8000/") + caller.file);
    CHECK(frame.position.line == (engine == "chromium" ? caller.first_line : caller.line));
    const char* name = engine == "firefox"  ? caller.name_in_firefox
                       : engine == "webkit" ? caller.name_in_webkit
                                            : nullptr;
    CHECK(clean_name(frame.name) == (name == nullptr ? caller.name : name));
  }
}

TEST_CASE("recorded code from eval has no script, and its caller has") {
  const std::string engine = GENERATE(from_range(kEngines));
  const auto& texts = recorded(engine);
  for (const char* section : {"eval", "new Function"}) {
    INFO(engine << ": " << section << "\n" << texts.at(section));
    const Seen seen = seen_in(texts.at(section));
    CHECK(seen.without_script >= 1);
    REQUIRE(seen.scripts.size() >= 2);
    CHECK(seen.scripts[1].name == "evaluated");
  }
}

TEST_CASE("recorded built-ins are frames without a script where the engine shows them") {
  for (const char* section : {"native sort callback", "anonymous arrow in forEach", "toJSON"}) {
    INFO(section);
    CHECK(seen_in(recorded("chromium").at(section)).without_script == 1);
    CHECK(seen_in(recorded("firefox").at(section)).without_script == 0);
    CHECK(seen_in(recorded("webkit").at(section)).without_script == 1);
  }
}

TEST_CASE("recorded callers that wait for a promise are no frames") {
  for (const auto& engine : kEngines) {
    INFO(engine);
    CHECK(seen_in(recorded(engine).at("async function after await")).scripts.size() == 2);
  }
}

TEST_CASE("recorded recursion shows each call") {
  for (const std::string engine : {"chromium", "firefox"}) {
    uint32_t depth = 0;
    for (const TextFrame& frame : seen_in(recorded(engine).at("recursion")).scripts)
      depth += frame.name == "depth" ? 1 : 0;
    CHECK(depth == 4);
  }
}
