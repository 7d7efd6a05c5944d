#include "runtime/trace_encoder.h"

#include <catch2/catch.hpp>
#include <string>

using polyprof::ByteSink;
using polyprof::Column;
using polyprof::Counters;
using polyprof::Frame;
using polyprof::FrameId;
using polyprof::FrameTable;
using polyprof::ResourceId;
using polyprof::ScriptTable;
using polyprof::Session;
using polyprof::StackId;
using polyprof::StackTrie;
using polyprof::Status;
using polyprof::StringTable;
using polyprof::TickSchedule;

namespace {

struct Tables {
  StringTable strings;
  FrameTable frames;
  StackTrie stacks;
  ScriptTable scripts;
  Counters counters;
  bool has_markers = false;

  StackId stack(StackId parent, const char* name, const char* url, uint32_t line = 0, uint32_t column = 0) {
    const ResourceId resource = url == nullptr ? ResourceId::none() : strings.intern(url);
    return stacks.intern(parent, frames.intern({strings.intern(name), resource, line, column}));
  }

  std::string encoded(Session&& session, double epoch_ms = 0) { return encoded(session, epoch_ms); }

  std::string encoded(Session& session, double epoch_ms = 0) {
    Column<uint8_t> out;
    REQUIRE(encode_trace(session, TickSchedule(epoch_ms), {strings, frames, stacks, scripts, has_markers},
                         counters, into(out)) == Status::kOk);
    return {out.begin(), out.end()};
  }
};

}  // namespace

TEST_CASE("a session without samples is an empty trace") {
  CHECK(Tables().encoded(Session({1, false}, 10, 0)) ==
        R"({"resources":[],"frames":[],"stacks":[],"samples":[]})");
}

TEST_CASE("a sample names its stack, its frames and their resources, and what has no value is absent") {
  Tables tables;
  const StackId outer = tables.stack({}, "main \"x\"", "http://h/a.js", 3, 4);
  const StackId inner = tables.stack(outer, "", nullptr);
  Session session({10, false}, 10, 0);
  (void)session.take(0, 10, inner);
  (void)session.take(10, 20, StackId::none());
  CHECK(tables.encoded(session, 0.5) ==
        R"({"resources":["http://h/a.js"],)"
        R"("frames":[{"name":"main \"x\"","resourceId":0,"line":3,"column":4},{"name":""}],)"
        R"("stacks":[{"frameId":0},{"frameId":1,"parentId":0}],)"
        R"("samples":[{"timestamp":10.5,"stackId":1},{"timestamp":20.5}]})");
}

TEST_CASE("a sample of weight w is w samples, an interval apart") {
  Tables tables;
  Session session({5, false}, 10, 0);
  (void)session.take(7, 21, StackId::none());
  CHECK(
      tables.encoded(session) ==
      R"({"resources":[],"frames":[],"stacks":[],"samples":[{"timestamp":10},{"timestamp":15},{"timestamp":20}]})");
}

TEST_CASE("with markers, samples with a stack are marked as script, and idle ones are not") {
  Tables tables;
  Session session({1, false}, 10, 0);
  (void)session.take(0, 1, tables.stack({}, "f", nullptr));
  (void)session.take(1, 2, StackId::none());
  tables.has_markers = true;
  CHECK(tables.encoded(session) ==
        R"({"resources":[],"frames":[{"name":"f"}],"stacks":[{"frameId":0}],)"
        R"("samples":[{"timestamp":1,"stackId":0,"marker":"script"},{"timestamp":2}]})");
}

TEST_CASE("a forced sample has its own time, between those of the plan") {
  Tables tables;
  Session session({10, false}, 10, 0);
  (void)session.take(0, 20, StackId::none());
  (void)session.take(Session::kForced, 23, StackId::none());
  (void)session.take(20, 30, StackId::none());
  CHECK(
      tables.encoded(session) ==
      R"({"resources":[],"frames":[],"stacks":[],"samples":[{"timestamp":10},{"timestamp":20},{"timestamp":23},{"timestamp":30}]})");
}

TEST_CASE("samples that came late are in the order of their times") {
  Tables tables;
  const StackId f = tables.stack({}, "f", nullptr);
  Session session({1, false}, 10, 0);
  (void)session.take(2, 3, f);
  (void)session.take(0, 2, StackId::none());
  CHECK(tables.encoded(session) ==
        R"({"resources":[],"frames":[{"name":"f"}],"stacks":[{"frameId":0}],)"
        R"("samples":[{"timestamp":1},{"timestamp":2},{"timestamp":3,"stackId":0}]})");
}

TEST_CASE("only what the session's samples need is in its trace, numbered from 0 and parents first") {
  Tables tables;
  for (int i = 0; i < 20; ++i) (void)tables.stack({}, std::to_string(i).c_str(), "http://h/other.js", 1, 1);
  const StackId a = tables.stack({}, "a", "http://h/a.js");
  const StackId unused = tables.stack(a, "unused", "http://h/a.js");
  const StackId b = tables.stack(a, "b", "http://h/b.js");
  const StackId a_again = tables.stack(b, "a", "http://h/a.js");
  (void)unused;
  Session session({1, false}, 10, 0);
  (void)session.take(0, 1, a_again);
  (void)session.take(1, 2, a);
  CHECK(tables.encoded(session) ==
        R"({"resources":["http://h/a.js","http://h/b.js"],)"
        R"("frames":[{"name":"a","resourceId":0},{"name":"b","resourceId":1}],)"
        R"("stacks":[{"frameId":0},{"frameId":1,"parentId":0},{"frameId":0,"parentId":1}],)"
        R"("samples":[{"timestamp":1,"stackId":2},{"timestamp":2,"stackId":0}]})");
}

TEST_CASE("a trace is appended to what is there") {
  Tables tables;
  Column<uint8_t> out;
  REQUIRE(out.push('#'));
  Session session({1, false}, 1, 0);
  REQUIRE(encode_trace(session, TickSchedule(0),
                       {tables.strings, tables.frames, tables.stacks, tables.scripts}, tables.counters,
                       into(out)) == Status::kOk);
  CHECK(out[0] == '#');
  CHECK(out[1] == '{');
}

TEST_CASE("a trace that finds no room is no success, and asks no more") {
  Tables tables;
  const StackId stack = tables.stack(StackId::none(), std::string(20'000, 'n').c_str(), nullptr);
  Session session({1, false}, 1, 0);
  REQUIRE(session.take(0, 1, stack).ticks == 1);
  uint32_t pieces = 0;
  const ByteSink one_piece{&pieces, [](void* count, std::span<const uint8_t> piece) {
                             CHECK_FALSE(piece.empty());
                             return ++*static_cast<uint32_t*>(count) < 2;
                           }};
  CHECK(encode_trace(session, TickSchedule(0), {tables.strings, tables.frames, tables.stacks, tables.scripts},
                     tables.counters, one_piece) == Status::kOutOfMemory);
  CHECK(pieces == 2);
}

TEST_CASE("a stack as deep as the trie allows is encoded") {
  Tables tables;
  const FrameId frame = tables.frames.intern(Frame{tables.strings.intern("f"), ResourceId::none()});
  StackId stack;
  for (int i = 0; i < 100'000; ++i) stack = tables.stacks.intern(stack, frame);
  Session session({1, false}, 1, 0);
  (void)session.take(0, 1, stack);
  const std::string trace = tables.encoded(session);
  CHECK(trace.find(R"({"frameId":0,"parentId":99998}])") != std::string::npos);
  CHECK(trace.ends_with(R"("samples":[{"timestamp":1,"stackId":99999}]})"));
}
