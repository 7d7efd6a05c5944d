#pragma once

#include <cstdint>

#include "runtime/jitter.h"

namespace polyprof {

// Which ticks are due to sessions of an interval: one in each interval on average, never more than one off over any span. Without jitter
// the multiples of the interval; with it, they are from 0.9 to 1.1 intervals apart, rounded to ticks.
class SamplePlan {
 public:
  static constexpr int32_t kNever = INT32_MAX;

  // interval_ticks: at least 1.
  SamplePlan(uint32_t interval_ticks, bool has_jitter)
      : interval_(interval_ticks), has_jitter_(has_jitter && interval_ticks > 1) {}

  [[nodiscard]] uint32_t interval_ticks() const { return interval_; }

  // From one due tick to the next, also from 0 to the first.
  [[nodiscard]] uint32_t longest_wait_ticks() const {
    return has_jitter_ ? interval_ + (interval_ + 9) / 10 : interval_;
  }

  // The number of due ticks up to `tick`, which is at least 0.
  [[nodiscard]] uint32_t count(int32_t tick) const {
    // No due tick is a whole interval away from its place.
    uint32_t count = static_cast<uint32_t>(tick) / interval_ + 1;
    while (count > 0 && tick_of(count) > tick) --count;
    return count;
  }

  // The due tick of that number, which is at least 1; kNever: not in this schedule.
  [[nodiscard]] int32_t tick(uint64_t number) const {
    const int64_t tick = number > kNever ? kNever : tick_of(static_cast<uint32_t>(number));
    return tick > kNever ? kNever : static_cast<int32_t>(tick);
  }

  // The first one after `tick`.
  [[nodiscard]] int32_t next(int32_t tick) const { return this->tick(uint64_t{count(tick)} + 1); }
  // The last one up to `tick`; 0 before the first.
  [[nodiscard]] int32_t last(int32_t tick) const {
    const uint32_t number = count(tick);
    return number == 0 ? 0 : this->tick(number);
  }

 private:
  static constexpr Jitter kJitter = {106177431, 1.0 / 64};

  [[nodiscard]] int64_t tick_of(uint32_t number) const {
    const int64_t place = int64_t{number} * interval_;
    if (!has_jitter_) return place;
    constexpr double kHalf = 0.5;  // to round: the sum is positive
    return static_cast<int64_t>(static_cast<double>(place) + kJitter.of(number) * interval_ + kHalf);
  }

  uint32_t interval_;
  bool has_jitter_;
};

}  // namespace polyprof
