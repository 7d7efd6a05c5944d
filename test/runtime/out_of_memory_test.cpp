#include <catch2/catch.hpp>
#include <string>

#include "runtime/core.h"
#include "test/runtime/memory_limit.h"
#include "test/runtime/table_bytes.h"

using polyprof::Column;
using polyprof::Core;
using polyprof::ProbePoint;
using polyprof::SessionId;
using polyprof::StackId;
using polyprof::Status;
using polyprof::test::MemoryLimit;

namespace {

constexpr uint32_t kScriptId = 5;
constexpr uint32_t kStacks = 40;

std::string stack_text(uint32_t i) {
  const std::string column = std::to_string(10 + i);
  return "work@http://h/a.js:2:" + column + "\nx" + column + "@http://h/lib.js:7:" + column +
         "\nmain@http://h/a.js:1:50";
}

// All that a page does, from the registration to the trace; what the memory does not allow is left out.
std::string profile(Core& core, SessionId session, uint32_t& failures) {
  const auto bytes =
      polyprof::test::table_bytes(kScriptId, {"main", "work"}, {{1, 7, 1, 99, 0}, {2, 7, 2, 99, 1}});
  const auto failed = [&](Status status) {
    REQUIRE((status == Status::kOk || status == Status::kOutOfMemory));
    failures += status == Status::kOutOfMemory ? 1 : 0;
    return status != Status::kOk;
  };
  const auto script = core.register_script("@http://h/a.js:1:1", kScriptId);
  if (!failed(script.status)) (void)failed(core.load_table(script.row, bytes));
  for (uint32_t i = 0; i < kStacks; ++i) {
    const auto stack = core.stack_of_text(stack_text(i), ProbePoint::kLeave, 0);
    if (failed(stack.status)) continue;
    const uint32_t lost = core.counters().lost_to_memory;
    (void)core.record(static_cast<int32_t>(i), static_cast<int32_t>(i) + 1, stack.id);
    failures += core.counters().lost_to_memory - lost;
  }
  Column<uint8_t> out;
  return failed(core.encode_trace(session, into(out))) ? "" : std::string(out.begin(), out.end());
}

}  // namespace

TEST_CASE("wherever the memory ends, losses are told and counted, and with memory again all is well") {
  uint32_t ignored = 0;
  Core reference_core(0);
  const std::string reference = profile(reference_core, reference_core.open_session(1, 1000, 0).id, ignored);
  REQUIRE(ignored == 0);

  bool was_hit = true;
  uint32_t growths = 0;
  for (; was_hit; ++growths) {
    INFO("memory ends after " << growths << " growths");
    Core core(0);
    const auto first = core.open_session(1, 1000, 0);
    uint32_t failures = 0;
    {
      const MemoryLimit limit(growths);
      (void)profile(core, first.id, failures);
      was_hit = limit.was_hit();
    }
    REQUIRE((failures > 0) == was_hit);
    // All but the registration and the encoding, which tell their callers.
    REQUIRE(core.counters().lost_to_memory <= failures);
    REQUIRE(core.counters().lost_to_memory + 2 >= failures);

    REQUIRE(core.release_session(first.id) == Status::kOk);
    const auto second = core.open_session(1, 1000, 0);
    failures = 0;
    REQUIRE(profile(core, second.id, failures) == reference);
    REQUIRE(failures == 0);
  }
  CHECK(growths > 20);
}

TEST_CASE("ticks that a session has no memory for are counted, and the session goes on") {
  Core core(0);
  const auto session = core.open_session(1, 1000, 0);
  {
    const MemoryLimit limit(0);
    CHECK(core.record(0, 7, StackId::none()) == 0);
    CHECK(limit.was_hit());
  }
  CHECK(core.counters().lost_to_memory == 7);
  CHECK(core.counters().filled_ticks == 0);
  CHECK(core.record(7, 9, StackId::none()) == 0);
  CHECK(core.counters().lost_to_memory == 7);
  CHECK(core.counters().filled_ticks == 1);
  CHECK_FALSE(core.is_full(session.id));
}
