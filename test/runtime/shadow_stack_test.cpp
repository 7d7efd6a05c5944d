#include "runtime/shadow_stack.h"

#include <catch2/catch.hpp>
#include <thread>
#include <vector>

#include "runtime/core.h"
#include "test/runtime/random.h"
#include "test/runtime/shadow_page.h"
#include "test/runtime/table_bytes.h"

using polyprof::Column;
using polyprof::Core;
using polyprof::Counters;
using polyprof::ShadowStack;
using polyprof::Status;
using polyprof::test::ShadowPage;
using polyprof::test::table_bytes;
using Ids = std::vector<uint32_t>;

namespace {

Ids read(const ShadowPage& page, Counters& counters) {
  Column<uint32_t> ids;
  REQUIRE(page.stack().read(ids, counters) == Status::kOk);
  return {ids.begin(), ids.end()};
}

}  // namespace

TEST_CASE("what entered and did not leave is the stack, outermost first") {
  ShadowPage page(100);
  Counters counters;
  CHECK(read(page, counters).empty());
  const uint32_t outer = page.enter(7);
  const uint32_t inner = page.enter(9);
  CHECK(read(page, counters) == Ids{7, 9});
  page.leave(inner);
  CHECK(read(page, counters) == Ids{7});
  page.leave(outer);
  CHECK(read(page, counters).empty());
}

TEST_CASE("a stack deeper than the array is cut at the leaf, and counted") {
  ShadowPage page(4);
  Counters counters;
  for (uint32_t id = 1; id <= 3; ++id) page.enter(id);
  CHECK(read(page, counters) == Ids{1, 2, 3});
  CHECK(counters.truncated_stacks == 0);
  for (uint32_t id = 4; id <= 9; ++id) page.enter(id);
  CHECK(read(page, counters) == Ids{1, 2, 3});
  CHECK(counters.truncated_stacks == 1);
}

TEST_CASE("a depth that no probe writes is idle, and counted") {
  for (const uint32_t garbage : {0u, 0xFFFFFFFFu, 0x80000000u, ShadowStack::kMaxDepth + 2}) {
    ShadowPage page(10);
    Counters counters;
    page.put(0, garbage);
    CHECK(read(page, counters).empty());
    CHECK(counters.garbled_stacks == 1);
  }
}

TEST_CASE("whatever the cells hold, reading ends within them") {
  EACH_SEED(random, 2000) {
    INFO("seed " << seed_of_random);
    const uint32_t capacity = random.between(1, 80);
    ShadowPage page(capacity);
    for (uint32_t i = 0; i < capacity; ++i) page.put(i, random.below(1u << random.below(32)));
    Counters counters;
    CHECK(read(page, counters).size() < capacity);
  }
}

// Each id says its caller's: 3 * caller + 1, + 2 or + 3. So any two neighbours tell whether one really called the other.
TEST_CASE("while the page runs, functions are seen under their own callers") {
  ShadowPage page(4096);
  std::atomic<bool> is_over = false;
  std::thread writer([&] {
    polyprof::test::Random random(1);
    struct Running {
      uint32_t id;
      uint32_t depth;
    };
    std::vector<Running> running;
    while (!is_over.load(std::memory_order_relaxed)) {
      // Up and down by long and short ways, so that all of the stack changes now and then.
      const uint32_t target = random.one_in(4) ? random.below(200) : random.below(8);
      while (running.size() > target) {
        page.leave(running.back().depth);
        running.pop_back();
      }
      while (running.size() < target) {
        const uint32_t caller = running.empty() ? 0 : running.back().id;
        const uint32_t id = (caller % 1'000'000'000) * 3 + 1 + random.below(3);
        running.push_back({id, page.enter(id)});
      }
    }
    page.put(0, 1);
  });
  Counters counters;
  uint32_t deep = 0;
  uint32_t wrong = 0;
  for (int i = 0; i < 2'000'000 && deep < 5'000; ++i) {
    const Ids ids = read(page, counters);
    deep += ids.size() > 32 ? 1 : 0;
    for (size_t k = 1; k < ids.size(); ++k) {
      if (ids[k] == ShadowStack::kGap || ids[k - 1] == ShadowStack::kGap) continue;
      const uint32_t expected = (ids[k - 1] % 1'000'000'000) * 3;
      if (ids[k] <= expected || ids[k] > expected + 3) ++wrong;
    }
  }
  is_over = true;
  writer.join();
  INFO("deep " << deep << ", torn " << counters.torn_stacks);
  CHECK(deep == 5'000);
  // A caller may leave, another one come and call, and the first one be back, all between two reads of its cell: this page does nothing
  // but that.
  CHECK(wrong <= 5);
  CHECK(counters.garbled_stacks == 0);
}

TEST_CASE("a caller that entered while the stack was read is no gap") {
  ShadowPage page(100);
  std::atomic<bool> is_over = false;
  std::thread writer([&] {
    while (!is_over.load(std::memory_order_relaxed)) {
      const uint32_t caller = page.enter(7);
      page.enter(9);
      page.leave(caller);
    }
  });
  Counters counters;
  uint32_t both = 0;
  while (both < 20'000) both += read(page, counters) == Ids{7, 9} ? 1 : 0;
  is_over = true;
  writer.join();
  CHECK(counters.torn_stacks == 0);
}

TEST_CASE("functions known by their ids get their names when the trace is written") {
  Core core(0);
  const auto session = core.open_session(1, 100, 0);
  REQUIRE(session.status == Status::kOk);
  const auto first = core.register_script("@http://h/a.js:1:1", 1, 1);
  const auto second = core.register_script("@http://h/b.js:1:1", 2, 3);
  const auto third = core.register_script("@http://h/c.js:1:1", 3, 10);
  REQUIRE(first.status == Status::kOk);
  REQUIRE(third.status == Status::kOk);

  ShadowPage page(100);
  int32_t tick = 0;
  const auto sample = [&] {
    const auto stack = core.stack_of_shadow(page.stack());
    REQUIRE(stack.status == Status::kOk);
    core.record(tick, tick + 1, stack.id);
    ++tick;
  };
  sample();
  const uint32_t main = page.enter(1);
  const uint32_t work = page.enter(4);
  sample();
  page.leave(work);
  page.enter(11);
  sample();
  page.leave(main);
  page.enter(9);
  sample();

  REQUIRE(core.load_table(first.row, table_bytes(1, {"main"}, {{1, 5, 1, 9, 0}})) == Status::kOk);
  REQUIRE(core.load_table(second.row, table_bytes(2, {"top", "work"}, {{1, 1, 9, 9, 0}, {2, 5, 2, 9, 1}})) ==
          Status::kOk);
  Column<uint8_t> out;
  REQUIRE(core.encode_trace(session.id, into(out)) == Status::kOk);
  CHECK(std::string(out.begin(), out.end()) ==
        R"({"resources":["http://h/a.js","http://h/b.js","http://h/c.js"],)"
        R"("frames":[{"name":"main","resourceId":0,"line":1,"column":5},)"
        R"({"name":"work","resourceId":1,"line":2,"column":5},{"name":"","resourceId":2},{"name":""}],)"
        R"("stacks":[{"frameId":0},{"frameId":1,"parentId":0},{"frameId":2,"parentId":0},{"frameId":3}],)"
        R"("samples":[{"timestamp":1},{"timestamp":2,"stackId":1},{"timestamp":3,"stackId":2},)"
        R"({"timestamp":4,"stackId":3}]})");
  CHECK(core.counters().fallback_frames == 2);
}

TEST_CASE(
    "functions that look equal when the trace is written are one frame, and stacks of equal frames are one") {
  Core core(0);
  const auto session = core.open_session(1, 100, 0);
  REQUIRE(session.status == Status::kOk);
  // The same script twice, one without its table, and functions of nobody.
  const auto first = core.register_script("@http://h/a.js:1:1", 1, 1);
  const auto again = core.register_script("@http://h/a.js:1:1", 1, 10);
  const auto failed = core.register_script("@http://h/b.js:1:1", 2, 20);
  REQUIRE(failed.status == Status::kOk);
  for (const auto& script : {first, again}) {
    const auto table = table_bytes(1, {"main", "work"}, {{1, 1, 9, 9, 0}, {2, 5, 2, 9, 1}});
    REQUIRE(core.load_table(script.row, table) == Status::kOk);
  }
  REQUIRE(core.fail_table(failed.row) == Status::kOk);
  ShadowPage page(100);
  int32_t tick = 0;
  for (const auto& ids : {Ids{1, 2}, Ids{10, 11}, Ids{20}, Ids{21}, Ids{20, 22}, Ids{5}, Ids{6}}) {
    for (const uint32_t id : ids) page.enter(id);
    core.record(tick, tick + 1, core.stack_of_shadow(page.stack()).id);
    ++tick;
    page.leave(1);
  }
  Column<uint8_t> out;
  REQUIRE(core.encode_trace(session.id, into(out)) == Status::kOk);
  CHECK(
      std::string(out.begin(), out.end()) ==
      R"({"resources":["http://h/a.js","http://h/b.js"],)"
      R"("frames":[{"name":"main","resourceId":0,"line":1,"column":1},)"
      R"({"name":"work","resourceId":0,"line":2,"column":5},{"name":"","resourceId":1},)"
      R"({"name":""}],)"
      R"("stacks":[{"frameId":0},{"frameId":1,"parentId":0},{"frameId":2},{"frameId":2,"parentId":2},{"frameId":3}],)"
      R"("samples":[{"timestamp":1,"stackId":1},{"timestamp":2,"stackId":1},{"timestamp":3,"stackId":2},)"
      R"({"timestamp":4,"stackId":2},{"timestamp":5,"stackId":3},{"timestamp":6,"stackId":4},)"
      R"({"timestamp":7,"stackId":4}]})");
}
