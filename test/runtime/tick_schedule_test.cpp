#include "runtime/tick_schedule.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "test/runtime/random.h"

using polyprof::TickSchedule;

TEST_CASE("tick n is due n base intervals after the epoch") {
  const TickSchedule schedule(1000.5);
  CHECK(schedule.tick_at(1000.5) == 0);
  CHECK(schedule.tick_at(1001.4) == 0);
  CHECK(schedule.tick_at(1001.5) == 1);
  CHECK(schedule.tick_at(1011.0) == 10);
  CHECK(schedule.time_ms(10) == 1010.5);
}

TEST_CASE("before the first tick, and when the time is no number, it is tick 0") {
  const TickSchedule schedule(1000);
  CHECK(schedule.tick_at(999) == 0);
  CHECK(schedule.tick_at(-1e300) == 0);
  CHECK(schedule.tick_at(std::nan("")) == 0);
}

TEST_CASE("a tick is due at its own time and not before, for any epoch") {
  EACH_SEED(random, 20'000) {
    const double epoch_ms = random.below(UINT32_MAX) / 1000.0 / (1 + random.below(1000));
    const auto tick = static_cast<int32_t>(random.below(100'000) + 1);
    INFO("seed " << seed_of_random << ", epoch " << epoch_ms << ", tick " << tick);
    const TickSchedule schedule(epoch_ms, random.one_in(2));
    const double due_ms = schedule.time_ms(tick);
    REQUIRE(schedule.tick_at(due_ms) == tick);
    REQUIRE(schedule.tick_at(std::nextafter(due_ms, 0)) == tick - 1);
  }
}

TEST_CASE("after its last tick the schedule stays there") {
  for (const double now_ms : {INT32_MAX + 10.0, 1e12, 1e300, HUGE_VAL}) {
    INFO("now " << now_ms);
    CHECK(TickSchedule(0).tick_at(now_ms) == TickSchedule::kMaxTick);
    CHECK(TickSchedule(0, true).tick_at(now_ms) == TickSchedule::kMaxTick);
  }
}

TEST_CASE("with jitter ticks are never more than 7 % nearer or farther than an interval") {
  const TickSchedule schedule(0, true);
  double shortest_ms = 1;
  double longest_ms = 1;
  for (int32_t tick = 0; tick < 100'000; ++tick) {
    const double distance_ms = schedule.time_ms(tick + 1) - schedule.time_ms(tick);
    shortest_ms = std::min(shortest_ms, distance_ms);
    longest_ms = std::max(longest_ms, distance_ms);
  }
  CHECK(shortest_ms > 0.93);
  CHECK(shortest_ms < 0.95);
  CHECK(longest_ms < 1.07);
  CHECK(longest_ms > 1.05);
}

TEST_CASE(
    "with jitter ticks meet all phases of work that is as periodic as they are, as often as they last") {
  const TickSchedule schedule(0, true);
  for (const int32_t period : {1, 2, 5, 10, 16, 1000}) {
    INFO("period " << period);
    constexpr int kTicks = 20'000;
    std::vector<int> hits(10);  // by tenth of a base interval
    for (int32_t tick = 1; tick <= kTicks; ++tick) {
      const double time_ms = schedule.time_ms(tick * period) + 1;
      ++hits[static_cast<size_t>((time_ms - std::floor(time_ms)) * 10)];
    }
    for (const int count : hits) CHECK(std::abs(count - kTicks / 10) < kTicks / 100);
  }
}
