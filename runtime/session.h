#pragma once

#include <cstdint>

#include "runtime/sample_buffer.h"
#include "runtime/sample_plan.h"

namespace polyprof {

// One running profiler: takes the ticks of its plan after the one at which it was opened.
class Session {
 public:
  Session(SamplePlan plan, uint32_t max_samples, int32_t opened_at)
      : buffer_(max_samples), plan_(plan), opened_at_(opened_at) {}

  [[nodiscard]] const SamplePlan& plan() const { return plan_; }
  [[nodiscard]] bool is_open() const { return is_open_; }
  [[nodiscard]] bool is_full() const { return is_full_; }
  [[nodiscard]] const SampleBuffer& buffer() const { return buffer_; }

  void sort_samples() { buffer_.sort_by_tick(); }

  // Later ticks are not taken; earlier ones still are, when what ran then becomes known late.
  void close(int32_t last_tick) {
    is_open_ = false;
    closed_at_ = last_tick;
  }

  static constexpr int32_t kForced = -1;

  struct Taken {
    uint32_t ticks;     // due to the session
    uint32_t rejected;  // of these, what did not fit
    bool no_memory;
    bool became_full;
  };

  // The session's ticks in (after, last], in all of which stack ran. After kForced: a sample at tick `last`, beside the plan.
  Taken take(int32_t after, int32_t last, StackId stack) {
    const bool is_forced = after == kForced;
    if (after < opened_at_) after = opened_at_;
    if (last > closed_at_) last = closed_at_;
    if (is_full_ || (is_forced ? !is_open_ : last <= after)) return {};
    const uint32_t before = plan_.count(after);
    const uint32_t weight = is_forced ? 1 : plan_.count(last) - before;
    if (weight == 0) return {};
    const uint32_t room = buffer_.room();
    const auto pushed = buffer_.push({is_forced ? last : plan_.tick(uint64_t{before} + 1), stack, weight});
    if (pushed == SampleBuffer::Pushed::kNoMemory) return {weight, 0, true, false};
    is_full_ = buffer_.is_full();
    return {weight, weight > room ? weight - room : 0, false, is_full_};
  }

  // The tick at which it is full if all due ticks after `tick` are taken; kNever if that is beyond the schedule.
  [[nodiscard]] int32_t fills_at(int32_t tick) const {
    if (tick < opened_at_) tick = opened_at_;
    const uint64_t needed = buffer_.room() == 0 ? 1 : buffer_.room();
    return plan_.tick(plan_.count(tick) + needed);
  }

 private:
  SampleBuffer buffer_;
  SamplePlan plan_;
  int32_t opened_at_;
  int32_t closed_at_ = INT32_MAX;
  bool is_open_ = true;
  bool is_full_ = false;
};

}  // namespace polyprof
