#include "runtime/tick_schedule.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "test/runtime/random.h"

using polyprof::TickSchedule;

TEST_CASE("tick n is due n base intervals after the epoch") {
  const TickSchedule schedule(1000.5);
  CHECK(schedule.tick_at(1000.5, 1) == 0);
  CHECK(schedule.tick_at(1001.4, 1) == 0);
  CHECK(schedule.tick_at(1001.5, 1) == 1);
  CHECK(schedule.tick_at(1011.0, 1) == 10);
  CHECK(schedule.time_ms(10) == 1010.5);
}

TEST_CASE("before the first tick, and when the time is no number, it is tick 0") {
  const TickSchedule schedule(1000);
  CHECK(schedule.tick_at(999, 1) == 0);
  CHECK(schedule.tick_at(-1e300, 7) == 0);
  CHECK(schedule.tick_at(std::nan(""), 1) == 0);
}

TEST_CASE("of an interval of several ticks the last multiple counts") {
  const TickSchedule schedule(0);
  CHECK(schedule.tick_at(29.9, 10) == 20);
  CHECK(schedule.tick_at(30, 10) == 30);
  CHECK(schedule.ms_until_next(29.5, 10) == 0.5);
  CHECK(schedule.ms_until_next(30, 10) == 10);
}

TEST_CASE("a tick is due at its own time and not before, for any epoch") {
  EACH_SEED(random, 20'000) {
    const double epoch_ms = random.below(UINT32_MAX) / 1000.0 / (1 + random.below(1000));
    const auto tick = static_cast<int32_t>(random.below(100'000) + 1);
    INFO("seed " << seed_of_random << ", epoch " << epoch_ms << ", tick " << tick);
    const TickSchedule schedule(epoch_ms);
    const double due_ms = schedule.time_ms(tick);
    REQUIRE(schedule.tick_at(due_ms, 1) == tick);
    REQUIRE(schedule.tick_at(std::nextafter(due_ms, 0), 1) == tick - 1);
  }
}

TEST_CASE("who waits until the next tick finds it due, and always waits for something") {
  EACH_SEED(random, 20'000) {
    const double epoch_ms = random.below(UINT32_MAX) / 1000.0 / (1 + random.below(1000));
    const uint32_t interval = random.between(1, 50);
    const TickSchedule schedule(epoch_ms);
    const bool is_on_a_tick = random.one_in(2);
    const double now_ms = is_on_a_tick ? schedule.time_ms(static_cast<int32_t>(random.below(10'000)))
                                       : epoch_ms + random.below(10'000'000) / 1000.0;
    INFO("seed " << seed_of_random << ", epoch " << epoch_ms << ", now " << now_ms << ", interval "
                 << interval);
    const int32_t tick = schedule.tick_at(now_ms, interval);
    REQUIRE(tick % static_cast<int32_t>(interval) == 0);
    const double wait_ms = schedule.ms_until_next(now_ms, interval);
    REQUIRE(wait_ms > 0);
    REQUIRE(wait_ms <= interval);
    REQUIRE(schedule.tick_at(now_ms + wait_ms + 0.001, interval) == tick + static_cast<int32_t>(interval));
  }
}

TEST_CASE("after its last tick the schedule stays there, and who waits still waits an interval") {
  const TickSchedule schedule(0);
  for (const double now_ms : {INT32_MAX + 10.0, 1e12, 1e300, HUGE_VAL}) {
    INFO("now " << now_ms);
    CHECK(schedule.tick_at(now_ms, 1) == TickSchedule::kMaxTick);
    CHECK(schedule.tick_at(now_ms, 1000) == TickSchedule::kMaxTick / 1000 * 1000);
    CHECK(schedule.ms_until_next(now_ms, 10) == 10);
  }
}
