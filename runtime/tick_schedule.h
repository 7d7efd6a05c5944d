#pragma once

#include <cstdint>

#include "runtime/jitter.h"

namespace polyprof {

// When ticks are due: tick n at epoch + n base intervals, with jitter up to 17/32 of them off. Computed from n, not by adding up waits,
// so that it never drifts. Ticks are at least 0.93 base intervals apart.
class TickSchedule {
 public:
  static constexpr double kBaseIntervalMs = 1.0;
  static constexpr int32_t kMaxTick = INT32_MAX - 1;  // 24 days; the schedule ends there

  explicit TickSchedule(double epoch_ms, bool has_jitter = false)
      : epoch_ms_(epoch_ms), has_jitter_(has_jitter) {}

  [[nodiscard]] bool has_jitter() const { return has_jitter_; }

  // The last tick that is due at now_ms; 0 before the first.
  [[nodiscard]] int32_t tick_at(double now_ms) const {
    const double ticks = (now_ms - epoch_ms_) / kBaseIntervalMs;
    if (!(ticks > -1)) return 0;
    // The difference is rounded, so next to a tick it may tell the wrong one: its own time decides.
    int32_t tick = ticks >= kMaxTick - 1 ? kMaxTick : static_cast<int32_t>(ticks) + 1;
    while (tick > 0 && time_ms(tick) > now_ms) --tick;
    return tick;
  }

  [[nodiscard]] double time_ms(int32_t tick) const {
    const double jitter = has_jitter_ ? kJitter.of(static_cast<uint32_t>(tick)) : 0;
    return epoch_ms_ + (tick + jitter) * kBaseIntervalMs;
  }

 private:
  // Slow, lest it adds up over the interval of a session: 0.05 in ten ticks. Its sweep and that of SamplePlan have no common period.
  static constexpr Jitter kJitter = {11118961, 1.0 / 32};

  double epoch_ms_;
  bool has_jitter_;
};

}  // namespace polyprof
