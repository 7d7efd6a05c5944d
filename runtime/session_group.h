#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

#include "runtime/counters.h"
#include "runtime/ids.h"
#include "runtime/sample_plan.h"
#include "runtime/session.h"
#include "runtime/status.h"

namespace polyprof {

// The sessions that share one sampler. Intervals are multiples of the base interval; the sampler ticks whenever a tick is due to any
// of them, and each takes those of its own plan.
class SessionGroup {
 public:
  static constexpr uint32_t kMaxSessions = 32;

  explicit SessionGroup(bool has_jitter = false) : has_jitter_(has_jitter) {}

  struct Opened {
    Status status;
    SessionId id;
  };
  // tick: the current one; the session takes later ones.
  Opened open(double interval_ms, uint32_t max_samples, int32_t tick);

  // Takes no ticks after `tick`. Its samples stay until release().
  Status close(SessionId id, int32_t tick);
  Status release(SessionId id);

  // Gives the ticks in (after, last] to the sessions they are due to; after Session::kForced, each open session has a
  // sample at tick `last`, beside its plan. The number of sessions that became full; they are closed.
  uint32_t record(int32_t after, int32_t last, StackId stack, Counters& counters);

  // nullptr: there is no such session.
  [[nodiscard]] Session* find(SessionId id);
  [[nodiscard]] const Session* find(SessionId id) const { return const_cast<SessionGroup*>(this)->find(id); }

  // Any thread may ask these: the sampling worker does, while the page's thread opens and closes sessions. It then sees some of the
  // sessions before and after, and asks anew once it is woken.
  //
  // The most ticks from one that is due to the next; 0 without open sessions.
  [[nodiscard]] uint32_t longest_wait_ticks() const;
  // The last one up to `tick` that is due to any open session, 0 before the first; without open sessions `tick`.
  [[nodiscard]] int32_t last_due(int32_t tick) const;
  // The first one after `tick`; SamplePlan::kNever without open sessions.
  [[nodiscard]] int32_t next_due(int32_t tick) const;

  [[nodiscard]] int32_t fills_at(int32_t tick) const;

 private:
  template <class Visit>
  void for_each_plan(Visit visit) const {
    for (const auto& interval : intervals_) {
      const uint32_t ticks = interval.load(std::memory_order_relaxed);
      if (ticks == 0) return;
      visit(SamplePlan(ticks, has_jitter_));
    }
  }
  void replan();

  std::optional<Session> sessions_[kMaxSessions];  // a SessionId is an index; free when empty
  // Of the open sessions, each once, then 0. Written by replan() alone, on the page's thread.
  std::atomic<uint32_t> intervals_[kMaxSessions + 1] = {};
  bool has_jitter_;
};

}  // namespace polyprof
