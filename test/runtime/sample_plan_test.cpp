#include "runtime/sample_plan.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "runtime/tick_schedule.h"
#include "test/runtime/random.h"

using polyprof::SamplePlan;
using polyprof::TickSchedule;

TEST_CASE("without jitter the multiples of the interval are due") {
  const SamplePlan plan(10, false);
  CHECK(plan.count(0) == 0);
  CHECK(plan.count(9) == 0);
  CHECK(plan.count(10) == 1);
  CHECK(plan.last(29) == 20);
  CHECK(plan.last(30) == 30);
  CHECK(plan.last(9) == 0);
  CHECK(plan.next(29) == 30);
  CHECK(plan.next(30) == 40);
  CHECK(plan.tick(7) == 70);
}

TEST_CASE("beyond the schedule nothing is due, however long the interval") {
  for (const bool has_jitter : {false, true}) {
    const SamplePlan longest(INT32_MAX, has_jitter);
    CHECK(longest.tick(2) == SamplePlan::kNever);
    CHECK(longest.next(INT32_MAX - 1) == SamplePlan::kNever);
    const SamplePlan shortest(1, has_jitter);
    CHECK(shortest.count(INT32_MAX - 1) == INT32_MAX - 1);
    CHECK(shortest.next(INT32_MAX - 1) == SamplePlan::kNever);
    CHECK(shortest.tick(uint64_t{UINT32_MAX} + 5) == SamplePlan::kNever);
    CHECK(SamplePlan(7, has_jitter).count(INT32_MAX - 1) <= INT32_MAX / 7 + 1);
  }
}

TEST_CASE("any span holds a tick for each interval in it, one more or less") {
  EACH_SEED(random, 20'000) {
    const uint32_t interval = random.one_in(8) ? random.between(1, 1'000'000) : random.between(1, 60);
    const SamplePlan plan(interval, true);
    const auto after = static_cast<int32_t>(random.below(INT32_MAX / 2));
    const auto last = after + static_cast<int32_t>(random.below(random.one_in(2) ? 1000 : INT32_MAX / 2));
    INFO("seed " << seed_of_random << ", interval " << interval << ", (" << after << ", " << last << "]");
    const double expected = (last - after) / static_cast<double>(interval);
    REQUIRE(std::abs(plan.count(last) - plan.count(after) - expected) <= 2.1);
  }
}

TEST_CASE("count, tick, last and next tell of the same ticks, in order, with jitter or without") {
  EACH_SEED(random, 20'000) {
    const SamplePlan plan(random.between(1, 40), random.one_in(4) == 0);
    const auto tick = static_cast<int32_t>(random.below(1'000'000));
    INFO("seed " << seed_of_random << ", interval " << plan.interval_ticks() << ", tick " << tick);
    const uint32_t count = plan.count(tick);
    const int32_t last = plan.last(tick);
    const int32_t next = plan.next(tick);
    REQUIRE(last <= tick);
    REQUIRE(tick < next);
    REQUIRE(next == plan.tick(uint64_t{count} + 1));
    REQUIRE(plan.count(next) == count + 1);
    REQUIRE(plan.count(next - 1) == count);
    if (count > 0) REQUIRE(last == plan.tick(count));
    REQUIRE(next - last <= static_cast<int32_t>(plan.longest_wait_ticks()));
  }
}

TEST_CASE("with jitter due ticks are a tenth of the interval nearer or farther than it, in whole ticks") {
  for (const int32_t interval : {2, 3, 5, 9, 10, 11, 16, 100, 1000}) {
    const SamplePlan plan(static_cast<uint32_t>(interval), true);
    int32_t least = interval;
    int32_t most = interval;
    for (uint32_t number = 1; number < 20'000; ++number) {
      const int32_t distance = plan.tick(number + 1) - plan.tick(number);
      least = std::min(least, distance);
      most = std::max(most, distance);
    }
    INFO("interval " << interval);
    CHECK(least >= interval - (interval + 9) / 10);
    CHECK(most <= interval + (interval + 9) / 10);
    CHECK(least < interval);
    CHECK(most > interval);
  }
}

TEST_CASE("work of any part of the interval is met as often as it lasts, at whatever phase it comes") {
  const TickSchedule schedule(0, true);
  for (const uint32_t interval : {1u, 2u, 5u, 10u, 16u, 50u}) {
    const SamplePlan plan(interval, true);
    for (int phase = 0; phase < 10; ++phase) {
      INFO("interval " << interval << ", a tenth of it from " << phase << " tenths");
      constexpr int kSamples = 20'000;
      int hits = 0;
      for (uint32_t number = 1; number <= kSamples; ++number) {
        const double place = schedule.time_ms(plan.tick(number)) / interval + 1;
        hits += static_cast<int>((place - std::floor(place)) * 10) == phase ? 1 : 0;
      }
      CHECK(hits > kSamples / 10 * 0.93);
      CHECK(hits < kSamples / 10 * 1.07);
    }
  }
}
