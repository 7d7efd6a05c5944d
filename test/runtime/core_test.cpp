#include "runtime/core.h"

#include <catch2/catch.hpp>
#include <string>

#include "test/runtime/random.h"
#include "test/runtime/table_bytes.h"

using polyprof::Column;
using polyprof::Core;
using polyprof::ProbePoint;
using polyprof::ScriptRow;
using polyprof::SessionId;
using polyprof::StackId;
using polyprof::StackTrie;
using polyprof::Status;
using polyprof::test::table_bytes;

namespace {

constexpr uint32_t kScriptId = 99;

polyprof::test::Bytes table() {
  return table_bytes(kScriptId, {"main", "work"}, {{1, 7, 1, 99, 0}, {2, 7, 2, 99, 1}});
}

std::string encoded(Core& core, SessionId id) {
  Column<uint8_t> out;
  REQUIRE(core.encode_trace(id, into(out)) == Status::kOk);
  return {out.begin(), out.end()};
}

ScriptRow registered(Core& core, std::string_view stack_text = "@http://h/a.js:1:1",
                     uint32_t script_id = kScriptId) {
  const auto script = core.register_script(stack_text, script_id);
  REQUIRE(script.status == Status::kOk);
  return script.row;
}

}  // namespace

TEST_CASE("from a script's table and stack texts to a trace") {
  Core core(100);
  const auto session = core.open_session(2, 10, 100.5);
  REQUIRE(session.status == Status::kOk);
  CHECK(core.interval_ms(session.id) == 2);
  CHECK(core.longest_wait_ticks() == 2);
  CHECK(core.ms_until_next_tick(100.5) == 1.5);

  const ScriptRow script = registered(core, "\n@http://h/a.js:1:1");
  CHECK(core.script_url(script) == "http://h/a.js");
  REQUIRE(core.load_table(script, table()) == Status::kOk);

  const auto stack =
      core.stack_of_text("\nwork@http://h/a.js:2:9\nmain@http://h/a.js:1:9", ProbePoint::kLeave, 0);
  REQUIRE(stack.status == Status::kOk);
  REQUIRE_FALSE(stack.id.is_none());
  CHECK(core.tick_at(103) == 2);
  CHECK(core.record(0, core.tick_at(103), stack.id) == 0);
  CHECK(core.record(2, 6, StackId::none()) == 0);
  REQUIRE(core.close_session(session.id, 106) == Status::kOk);
  CHECK(
      encoded(core, session.id) ==
      R"({"resources":["http://h/a.js"],)"
      R"("frames":[{"name":"main","resourceId":0,"line":1,"column":7},{"name":"work","resourceId":0,"line":2,"column":7}],)"
      R"("stacks":[{"frameId":0},{"frameId":1,"parentId":0}],)"
      R"("samples":[{"timestamp":102,"stackId":1},{"timestamp":104},{"timestamp":106}]})");
}

TEST_CASE("a script's address is that of the top frame, which there must be") {
  Core core(0);
  CHECK(core.register_script("", kScriptId).status == Status::kInvalidArgument);
  CHECK(core.register_script("nothing", kScriptId).status == Status::kInvalidArgument);
  CHECK(core.register_script("f@[native code]\n@http://h/a.js:1:1", kScriptId).status ==
        Status::kInvalidArgument);
  const ScriptRow row = registered(core);
  CHECK(registered(core, "g@http://h/a.js:77:1") == row);
  CHECK_FALSE(registered(core, "@http://h/a.js:1:1", kScriptId + 1) == row);
  CHECK(core.script_url(ScriptRow(77)).empty());
}

TEST_CASE("unknown scripts and sessions are told") {
  Core core(0);
  Column<uint8_t> out;
  CHECK(core.load_table(ScriptRow(0), table()) == Status::kUnknownScript);
  CHECK(core.fail_table(ScriptRow(0)) == Status::kUnknownScript);
  CHECK(core.encode_trace(SessionId(0), into(out)) == Status::kUnknownSession);
  CHECK(core.close_session(SessionId(0), 0) == Status::kUnknownSession);
  CHECK(core.release_session(SessionId(0)) == Status::kUnknownSession);
  CHECK(core.interval_ms(SessionId(0)) == 0);
  CHECK_FALSE(core.is_full(SessionId(0)));
}

TEST_CASE("a table that is damaged, another's, or missing is counted once, by what was wrong") {
  Core core(0);
  const ScriptRow damaged = registered(core, "@http://h/damaged.js:1:1");
  const uint8_t no_table[] = {1};
  CHECK(core.load_table(damaged, no_table) == Status::kBadTable);
  CHECK(core.fail_table(damaged) == Status::kOk);
  CHECK(core.counters().bad_tables == 1);

  const ScriptRow others = registered(core, "@http://h/others.js:1:1", kScriptId + 1);
  CHECK(core.load_table(others, table()) == Status::kTableMismatch);
  CHECK(core.counters().mismatched_tables == 1);

  const ScriptRow missing = registered(core, "@http://h/missing.js:1:1");
  CHECK(core.fail_table(missing) == Status::kOk);
  CHECK(core.fail_table(missing) == Status::kOk);
  CHECK(core.counters().missing_tables == 1);
  CHECK(core.counters().bad_tables == 1);
}

TEST_CASE("a table that came stays, whatever is said of it later") {
  Core core(0);
  const ScriptRow script = registered(core);
  REQUIRE(core.load_table(script, table()) == Status::kOk);
  CHECK(core.load_table(script, {}) == Status::kOk);
  CHECK(core.fail_table(script) == Status::kOk);
  const auto outside = core.stack_of_text("f@http://h/a.js:50:1", ProbePoint::kLeave, 0);
  CHECK(outside.status == Status::kOk);
  CHECK(outside.id.is_none());
  CHECK(core.counters().fallback_frames == 0);
  CHECK(core.counters().bad_tables == 0);
  CHECK(core.counters().missing_tables == 0);
}

TEST_CASE("a table may come after it was missing") {
  Core core(0);
  const ScriptRow script = registered(core);
  REQUIRE(core.fail_table(script) == Status::kOk);
  REQUIRE(core.load_table(script, table()) == Status::kOk);
  const auto stack = core.stack_of_text("other@http://h/a.js:2:9", ProbePoint::kLeave, 0);
  const auto session = core.open_session(1, 1, 0);
  CHECK(core.record(0, 1, stack.id) == 1);
  CHECK(core.is_full(session.id));
  CHECK(encoded(core, session.id).find(R"("name":"work")") != std::string::npos);
}

TEST_CASE("each counter of a look tells what was lost or made up") {
  Core core(0);
  (void)core.fail_table(registered(core));
  const auto session = core.open_session(1, 3, 0);
  std::string deep;
  for (uint32_t i = 0; i <= polyprof::StackMapper::kMaxFrames; ++i) deep += "f@http://h/a.js:1:1\n";
  const auto stack = core.stack_of_text("odd\n" + deep, ProbePoint::kLeave, 0);
  REQUIRE(stack.status == Status::kOk);
  CHECK(core.counters().truncated_stacks == 1);
  CHECK(core.counters().unparsed_frames == 1);
  CHECK(core.counters().fallback_frames == polyprof::StackMapper::kMaxFrames + 1);
  CHECK(core.record(0, 2, stack.id) == 0);
  CHECK(core.counters().filled_ticks == 1);
  CHECK(core.record(2, 7, stack.id) == 1);
  CHECK(core.counters().filled_ticks == 1);
  CHECK(core.counters().rejected_samples == 4);
  CHECK(core.is_full(session.id));
  CHECK(core.counters().lost_to_memory == 0);
}

TEST_CASE("when no more stacks fit, new ones are counted as lost and old ones are still known") {
  Core core(0);
  (void)core.fail_table(registered(core));
  const auto deep = [](uint32_t column) {
    std::string text;
    for (uint32_t line = 1; line <= polyprof::StackMapper::kMaxFrames; ++line) {
      text += "f@http://h/a.js:" + std::to_string(line) + ':' + std::to_string(column) + '\n';
    }
    return text;
  };
  uint32_t column = 1;
  constexpr uint32_t kFrames = polyprof::StackMapper::kMaxFrames;
  for (uint32_t room = StackTrie::kMaxStacks; room >= kFrames; room -= kFrames) {
    REQUIRE(core.stack_of_text(deep(column++), ProbePoint::kLeave, 0).status == Status::kOk);
  }
  CHECK(core.counters().lost_to_memory == 0);
  CHECK(core.stack_of_text(deep(column), ProbePoint::kLeave, 0).status == Status::kOutOfMemory);
  CHECK(core.counters().lost_to_memory == 1);
  CHECK(core.stack_of_text(deep(1), ProbePoint::kLeave, 0).status == Status::kOk);
  CHECK(core.counters().lost_to_memory == 1);
}

TEST_CASE("counters stop at their end instead of wrapping around") {
  uint32_t counter = UINT32_MAX - 2;
  polyprof::count(counter);
  CHECK(counter == UINT32_MAX - 1);
  polyprof::count(counter, 5);
  CHECK(counter == UINT32_MAX);
  polyprof::count(counter);
  CHECK(counter == UINT32_MAX);
}

TEST_CASE("who waits until the next tick finds it due, and always waits for something") {
  EACH_SEED(random, 5'000) {
    const double epoch_ms = random.below(UINT32_MAX) / 1000.0 / (1 + random.below(1000));
    Core core(epoch_ms, random.one_in(2));
    for (uint32_t i = random.below(4); i > 0; --i) {
      REQUIRE(core.open_session(random.between(1, 50), 1, epoch_ms).status == Status::kOk);
    }
    const double now_ms = epoch_ms + random.below(10'000'000) / 1000.0;
    INFO("seed " << seed_of_random << ", epoch " << epoch_ms << ", now " << now_ms);
    const int32_t tick = core.tick_at(now_ms);
    const double wait_ms = core.ms_until_next_tick(now_ms);
    REQUIRE(wait_ms > 0);
    REQUIRE(wait_ms <= core.longest_wait_ticks() + 1.1);
    REQUIRE(core.tick_at(now_ms + wait_ms - 0.001) == tick);
    const int32_t next = core.longest_wait_ticks() == 0 ? tick + 1 : core.next_tick(tick);
    REQUIRE(core.tick_at(now_ms + wait_ms + 0.001) == next);
  }
}

TEST_CASE("after the end of the schedule who waits still waits an interval") {
  Core core(0);
  REQUIRE(core.open_session(10, 1, 0).status == Status::kOk);
  for (const double now_ms : {INT32_MAX + 10.0, 1e12, 1e300}) CHECK(core.ms_until_next_tick(now_ms) == 10);
}

TEST_CASE(
    "with jitter a trace has a sample for each interval, in order, at times that a worker was told to wait "
    "for") {
  for (const double interval_ms : {1.0, 3.0, 10.0, 25.0}) {
    Core core(1000, true);
    const auto session = core.open_session(interval_ms, 100'000, 1000);
    REQUIRE(session.status == Status::kOk);
    std::vector<double> due_ms;
    int32_t last = 0;
    for (double now_ms = 1000; now_ms < 6000;) {
      now_ms += core.ms_until_next_tick(now_ms) + 1e-9;
      const int32_t tick = core.tick_at(now_ms);
      REQUIRE(tick == core.next_tick(last));
      REQUIRE(core.record(last, tick, StackId::none()) == 0);
      last = tick;
      due_ms.push_back(now_ms);
    }
    INFO("interval " << interval_ms);
    CHECK(std::abs(static_cast<double>(due_ms.size()) - 5000 / interval_ms) <= 2);
    std::string json = encoded(core, session.id);
    const std::string key = R"("timestamp":)";
    size_t samples = 0;
    double before_ms = 0;
    for (size_t at = json.find(key); at != json.npos; at = json.find(key, at + 1), ++samples) {
      const double time_ms = std::stod(json.substr(at + key.size()));
      REQUIRE(samples < due_ms.size());
      REQUIRE(std::abs(time_ms - due_ms[samples]) < 0.001);
      REQUIRE(time_ms > before_ms);
      before_ms = time_ms;
    }
    CHECK(samples == due_ms.size());
  }
}

TEST_CASE("of ticks that were missed the session has a sample at each one's own time") {
  Core core(0, true);
  const auto session = core.open_session(10, 100, 0);
  REQUIRE(core.record(0, 500, StackId::none()) == 0);
  const std::string filled = encoded(core, session.id);
  const auto other = core.open_session(10, 100, 0);
  for (int32_t tick = 0; tick < 500; ++tick) (void)core.record(tick, tick + 1, StackId::none());
  CHECK(filled == encoded(core, other.id));
}
