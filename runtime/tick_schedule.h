#pragma once

#include <cstdint>

namespace polyprof {

// When ticks are due: tick n at epoch + n base intervals. Computed from n, not by adding up waits, so that it never drifts.
class TickSchedule {
 public:
  static constexpr double kBaseIntervalMs = 1.0;
  static constexpr int32_t kMaxTick = INT32_MAX - 1;  // 24 days; the schedule ends there

  explicit TickSchedule(double epoch_ms) : epoch_ms_(epoch_ms) {}

  // The last multiple of interval_ticks that is due at now_ms; 0 before the first.
  [[nodiscard]] int32_t tick_at(double now_ms, uint32_t interval_ticks) const {
    const double ticks = (now_ms - epoch_ms_) / kBaseIntervalMs;
    if (!(ticks > 0)) return 0;
    int32_t tick = ticks >= kMaxTick ? kMaxTick : static_cast<int32_t>(ticks);
    // The difference is rounded, so next to a tick it may tell the wrong one: its own time decides.
    if (tick < kMaxTick && time_ms(tick + 1) <= now_ms) {
      ++tick;
    } else if (tick > 0 && time_ms(tick) > now_ms) {
      --tick;
    }
    return tick - static_cast<int32_t>(static_cast<uint32_t>(tick) % interval_ticks);
  }

  [[nodiscard]] double time_ms(int32_t tick) const { return epoch_ms_ + tick * kBaseIntervalMs; }

  // From now_ms to the multiple of interval_ticks after it; more than 0, also after the schedule's end.
  [[nodiscard]] double ms_until_next(double now_ms, uint32_t interval_ticks) const {
    const double next = static_cast<double>(tick_at(now_ms, interval_ticks)) + interval_ticks;
    const double wait_ms = epoch_ms_ + next * kBaseIntervalMs - now_ms;
    return wait_ms > 0 ? wait_ms : interval_ticks * kBaseIntervalMs;
  }

 private:
  double epoch_ms_;
};

}  // namespace polyprof
