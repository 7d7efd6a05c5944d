#include "runtime/stack_mapper.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "test/runtime/table_bytes.h"

using polyprof::Column;
using polyprof::Counters;
using polyprof::Frame;
using polyprof::FrameId;
using polyprof::FrameTable;
using polyprof::FunctionTable;
using polyprof::ProbePoint;
using polyprof::ScriptTable;
using polyprof::StackMapper;
using polyprof::Status;
using polyprof::StringTable;
using polyprof::test::TableRow;

namespace {

constexpr uint32_t kProbed = FunctionTable::kHasProbes;
constexpr uint32_t kQuiet = FunctionTable::kHasProbes | FunctionTable::kQuiet;
constexpr uint32_t kDelegating = FunctionTable::kHasProbes | FunctionTable::kDelegates;
constexpr uint32_t kAsync = FunctionTable::kHasProbes | FunctionTable::kAsync;
constexpr uint32_t kNamedAtRunTime = FunctionTable::kHasProbes | FunctionTable::kNameAtRunTime;

struct Page {
  explicit Page(bool doubles_async = false, bool marks_unknown = false, bool hides_quiet = false,
                bool has_starts = false)
      : mapper(strings, frames, scripts, counters, doubles_async, marks_unknown, hides_quiet, has_starts) {}

  StringTable strings;
  FrameTable frames;
  ScriptTable scripts;
  Counters counters;
  StackMapper mapper;
  Column<FrameId> out;
  Status status = Status::kOk;

  polyprof::ScriptRow add(const std::string& url, uint32_t script_id = 1) {
    return scripts.add(strings.intern(url), script_id);
  }

  void load(polyprof::ScriptRow row, const std::vector<std::string>& names,
            const std::vector<TableRow>& rows) {
    auto* script = scripts.find(row);
    REQUIRE(script->functions.read(polyprof::test::table_bytes(script->id, names, rows), script->id,
                                   strings) == Status::kOk);
    script->state = ScriptTable::State::kLoaded;
  }

  // "name@line:column ..." of what ran, leaf first.
  std::string running(const std::string& text, ProbePoint point, uint32_t skip = 0) {
    status = mapper.map(text, point, skip, out);
    std::string all;
    for (const FrameId id : out) {
      const Frame& frame = frames.frame(id);
      all += all.empty() ? "" : " ";
      all += std::string(strings.text(frame.name)) + '@' + std::to_string(frame.line) + ':' +
             std::to_string(frame.column);
    }
    return all;
  }
};

// a.js, one function a line.
void with_table(Page& page) {
  page.load(page.add("http://h/a.js"), {"main", "work", "small", "gen", "outerGen", "computed"},
            {{1, 7, 1, 99, 0, kProbed},
             {2, 7, 2, 99, 1, kProbed},
             {3, 7, 3, 99, 2, 0},
             {4, 7, 4, 99, 3, kProbed},
             {5, 7, 5, 99, 4, kDelegating},
             {6, 7, 6, 99, 5, kNamedAtRunTime}});
}

// Frames of a.js by line, leaf first.
std::string stack(std::initializer_list<int> lines) {
  std::string text;
  for (const int line : lines) text += "\nx@http://h/a.js:" + std::to_string(line) + ":50";
  return text;
}

}  // namespace

TEST_CASE("at leave the probed function itself ran, at enter its caller") {
  Page page;
  with_table(page);
  CHECK(page.running(stack({2, 1}), ProbePoint::kLeave) == "work@2:7 main@1:7");
  CHECK(page.running(stack({2, 1}), ProbePoint::kEnter) == "main@1:7");
  CHECK(page.running(stack({2}), ProbePoint::kEnter).empty());
  CHECK(page.status == Status::kOk);
  CHECK(page.running("", ProbePoint::kLeave).empty());
}

TEST_CASE("the hook's own frames are skipped, whatever they are") {
  Page page;
  with_table(page);
  const std::string own = "\nl@http://h/hook.js:1:1\nodd\ng@";
  CHECK(page.running(own + stack({2, 1}), ProbePoint::kLeave, 3) == "work@2:7 main@1:7");
  CHECK(page.running(stack({2, 1}), ProbePoint::kLeave, 9).empty());
  CHECK(page.counters.unparsed_frames == 0);
}

TEST_CASE("functions without probes are left out, as if inlined into their callers") {
  Page page;
  with_table(page);
  CHECK(page.running(stack({3, 2, 3, 3, 1}), ProbePoint::kLeave) == "work@2:7 main@1:7");
  CHECK(page.running(stack({2, 3, 1}), ProbePoint::kEnter) == "main@1:7");
}

TEST_CASE("quiet functions are left out where their probes are not raised") {
  const auto running = [](bool hides_quiet) {
    Page page(false, false, hides_quiet);
    page.load(page.add("http://h/a.js"), {"main", "work", "quiet"},
              {{1, 7, 1, 99, 0, kProbed}, {2, 7, 2, 99, 1, kProbed}, {3, 7, 3, 99, 2, kQuiet}});
    return page.running(stack({2, 3, 1}), ProbePoint::kEnter);
  };
  CHECK(running(false) == "quiet@3:7 main@1:7");
  CHECK(running(true) == "main@1:7");
}

TEST_CASE("a frame may say where its function starts, while a call there is of the one around") {
  for (const bool has_starts : {false, true}) {
    Page page(false, false, false, has_starts);
    page.load(page.add("http://h/a.js"), {"main", "work"},
              {{1, 1, 9, 1, 0, kProbed}, {2, 3, 2, 99, 1, kProbed, 2, 16}});
    CHECK(page.running("work@http://h/a.js:2:3\nmain@http://h/a.js:1:1", ProbePoint::kLeave) ==
          (has_starts ? "work@2:16 main@1:1" : "main@1:1 main@1:1"));
    CHECK(page.running("work@http://h/a.js:2:16\nmain@http://h/a.js:2:99", ProbePoint::kLeave) ==
          "work@2:16 main@1:1");
  }
}

TEST_CASE("of scripts that share an address, a frame is of the one that has a function of its name there") {
  const auto names =
      GENERATE(std::vector<std::string>{"first", "second"}, std::vector<std::string>{"second", "first"});
  Page page;
  for (uint32_t script = 0; script < 2; ++script)
    page.load(page.add("http://h/load.php", script), {names[script]}, {{1, 3 + script, 1, 99, 0, kProbed}});
  const std::string places[] = {"@1:3", "@1:4"};
  for (uint32_t script = 0; script < 2; ++script) {
    CHECK(page.running(names[script] + "@http://h/load.php:1:50", ProbePoint::kLeave) ==
          names[script] + places[script]);
  }
}

TEST_CASE(
    "of scripts that share an address, a frame waits for the table that may have a function of its name") {
  Page page;
  const std::string text = "second@http://h/load.php:1:50";
  page.load(page.add("http://h/load.php", 1), {"first"}, {{1, 3, 1, 99, 0, kProbed}});
  const auto other = page.add("http://h/load.php", 2);
  CHECK(page.running("first@http://h/load.php:1:50", ProbePoint::kLeave) == "first@1:3");
  CHECK(page.running(text, ProbePoint::kLeave).empty());
  CHECK(page.status == Status::kPendingTable);
  page.load(other, {"second"}, {{1, 4, 1, 99, 0, kProbed}});
  CHECK(page.running(text, ProbePoint::kLeave) == "second@1:4");
  CHECK(page.running("third@http://h/load.php:1:50", ProbePoint::kLeave) == "second@1:4");
}

TEST_CASE("positions of a known script outside its functions are left out") {
  Page page;
  with_table(page);
  CHECK(page.running(stack({2, 77, 1}), ProbePoint::kLeave) == "work@2:7 main@1:7");
}

TEST_CASE("at resume generators that delegate to the probed one did not run either") {
  Page page;
  with_table(page);
  CHECK(page.running(stack({4, 5, 5, 1}), ProbePoint::kResume) == "main@1:7");
  CHECK(page.running(stack({4, 1, 5}), ProbePoint::kResume) == "main@1:7 outerGen@5:7");
  CHECK(page.running(stack({4, 5, 1}), ProbePoint::kEnter) == "outerGen@5:7 main@1:7");
  const std::string v8 =
      "\ngen@http://h/a.js:4:50\nnext@\nouterGen@http://h/a.js:5:50\nnext@\nmain@http://h/a.js:1:50";
  CHECK(page.running(v8, ProbePoint::kResume) == "main@1:7");
}

TEST_CASE("what waits for a promise is not on the stack") {
  Page page;
  with_table(page);
  CHECK(page.running("work@http://h/a.js:2:50\nasync*main@http://h/a.js:1:50", ProbePoint::kLeave) ==
        "work@2:7");
}

TEST_CASE("a name known only at run time is the engine's, without decoration") {
  Page page;
  with_table(page);
  CHECK(page.running("Object.key [as other]@http://h/a.js:6:50", ProbePoint::kLeave) == "key@6:7");
  CHECK(page.running("key@http://h/a.js:6:50", ProbePoint::kLeave) == "key@6:7");
}

TEST_CASE("scripts that are not instrumented are left out, or marked by one frame for a run of theirs") {
  const std::string other =
      "\nlib.Thing@http://h/lib.js:8:9\n@pptr:evaluate;x:1:2\nf@chrome-extension://a/b.js:1:2";
  const std::string between = stack({2}) + other + stack({3}) + other + stack({1});
  Page page;
  with_table(page);
  CHECK(page.running(between, ProbePoint::kLeave) == "work@2:7 main@1:7");
  CHECK(page.running(between, ProbePoint::kEnter) == "main@1:7");
  Page marking(false, true);
  with_table(marking);
  CHECK(marking.running(between, ProbePoint::kLeave) == "work@2:7 unknown@0:0 main@1:7");
  CHECK(marking.running(between, ProbePoint::kEnter) == "unknown@0:0 main@1:7");
  CHECK(marking.running(stack({2}) + other, ProbePoint::kLeave) == "work@2:7 unknown@0:0");
  CHECK(marking.running(stack({2}) + other, ProbePoint::kEnter).empty());
}

TEST_CASE("scripts that are not instrumented are not charged when they alone are left") {
  Page page;
  with_table(page);
  const std::string other = "\nlib.Thing@http://h/lib.js:8:9";
  CHECK(page.running(stack({2}) + other, ProbePoint::kEnter).empty());
  CHECK(page.running(stack({3}) + other, ProbePoint::kLeave).empty());
  CHECK(page.counters.fallback_frames == 0);
}

TEST_CASE("lines in no known form are counted and left out") {
  Page page;
  with_table(page);
  CHECK(page.running(stack({2}) + "\nodd\nf@nowhere" + stack({1}), ProbePoint::kLeave) ==
        "work@2:7 main@1:7");
  CHECK(page.counters.unparsed_frames == 2);
}

TEST_CASE(
    "a stack with a script whose table is on its way has to wait, unless another table has the function") {
  Page page;
  const auto first = page.add("http://h/page.html", 1);
  CHECK(page.running("f@http://h/page.html:2:50", ProbePoint::kLeave).empty());
  CHECK(page.status == Status::kPendingTable);
  const auto second = page.add("http://h/page.html", 2);
  page.load(first, {"f"}, {{2, 1, 2, 99, 0, kProbed}});
  CHECK(page.running("f@http://h/page.html:2:50", ProbePoint::kLeave) == "f@2:1");
  CHECK(page.running("g@http://h/page.html:3:50", ProbePoint::kLeave).empty());
  CHECK(page.status == Status::kPendingTable);
  page.load(second, {"g"}, {{3, 1, 3, 99, 0, kProbed}});
  CHECK(page.running("g@http://h/page.html:3:50\nf@http://h/page.html:2:60", ProbePoint::kLeave) ==
        "g@3:1 f@2:1");
  CHECK(page.status == Status::kOk);
}

TEST_CASE(
    "in JavaScriptCore an async function that was not suspended yet has a second frame, which is left out") {
  // b.js, on one line: the second frame's place is just after the function, in the one around it.
  const std::string handler = "handler@http://h/b.js:1:30\nhandler@http://h/b.js:1:50";
  for (const bool is_jsc : {false, true}) {
    Page page(is_jsc);
    page.load(page.add("http://h/b.js"), {"main", "handler", "later", ""},
              {{1, 1, 1, 99, 0, kProbed},
               {1, 20, 1, 50, 1, kAsync},
               {1, 60, 1, 70, 2, kProbed},
               {1, 80, 1, 90, 3, kAsync}});
    CHECK(page.running(handler, ProbePoint::kEnter) == (is_jsc ? "" : "main@1:1"));
    CHECK(page.running(handler, ProbePoint::kLeave) == (is_jsc ? "handler@1:20" : "handler@1:20 main@1:1"));
    CHECK(page.running(handler + "\n" + handler, ProbePoint::kLeave) ==
          (is_jsc ? "handler@1:20 handler@1:20" : "handler@1:20 main@1:1 handler@1:20 main@1:1"));
    // Resumed.
    CHECK(page.running("later@http://h/b.js:1:65\nhandler@http://h/b.js:1:35", ProbePoint::kLeave) ==
          "later@1:60 handler@1:20");
    // An arrow function, whose body has no name.
    CHECK(page.running("@http://h/b.js:1:85\narrow@http://h/b.js:1:90\n" + handler, ProbePoint::kLeave) ==
          (is_jsc ? "@1:80 handler@1:20" : "@1:80 main@1:1 handler@1:20 main@1:1"));
  }
}

TEST_CASE("without their table frames are the engine's, are counted, and are charged") {
  Page page;
  page.scripts.find(page.add("http://h/a.js"))->state = ScriptTable::State::kFailed;
  CHECK(page.running(stack({2, 1}), ProbePoint::kLeave) == "x@2:50 x@1:50");
  CHECK(page.running(stack({2, 1}), ProbePoint::kEnter) == "x@1:50");
  CHECK(page.counters.fallback_frames == 4);
}

TEST_CASE("of a stack that is too deep the outermost frames are missing, which is counted") {
  Page page;
  with_table(page);
  std::string text;
  for (uint32_t i = 0; i < StackMapper::kMaxFrames; ++i) text += stack({2});
  REQUIRE_FALSE(page.running(text, ProbePoint::kLeave).empty());
  CHECK(page.out.size() == StackMapper::kMaxFrames);
  CHECK(page.counters.truncated_stacks == 0);
  CHECK(page.running(text + stack({1}), ProbePoint::kLeave).find("main") == std::string::npos);
  CHECK(page.out.size() == StackMapper::kMaxFrames);
  CHECK(page.counters.truncated_stacks == 1);
  CHECK(page.running(text + "\nf@", ProbePoint::kLeave).size() > 0);
  CHECK(page.counters.truncated_stacks == 1);
}
