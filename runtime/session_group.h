#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

#include "runtime/counters.h"
#include "runtime/ids.h"
#include "runtime/session.h"
#include "runtime/status.h"

namespace polyprof {

// The sessions that share one sampler. Intervals are multiples of the base interval; the sampler ticks at their greatest common
// divisor, and each session takes those ticks that are multiples of its own interval.
class SessionGroup {
 public:
  static constexpr uint32_t kMaxSessions = 32;

  struct Opened {
    Status status;
    SessionId id;
  };
  // tick: the current one; the session takes later ones.
  Opened open(double interval_ms, uint32_t max_samples, int32_t tick);

  // Takes no ticks after `tick`. Its samples stay until release().
  Status close(SessionId id, int32_t tick);
  Status release(SessionId id);

  // Gives the ticks in (after, last] to the sessions they are due to. The number of sessions that became full; they are closed.
  uint32_t record(int32_t after, int32_t last, StackId stack, Counters& counters);

  // nullptr: there is no such session.
  [[nodiscard]] const Session* find(SessionId id) const;

  // 0 without open sessions. Any thread may ask: the sampling worker does, while the page's thread opens and closes sessions.
  [[nodiscard]] uint32_t common_interval_ticks() const {
    return common_interval_.load(std::memory_order_relaxed);
  }

  [[nodiscard]] int32_t fills_at(int32_t tick) const;

 private:
  Session* mutable_session(SessionId id);
  void replan();

  std::optional<Session> sessions_[kMaxSessions];  // a SessionId is an index; free when empty
  std::atomic<uint32_t> common_interval_ = 0;      // written by replan() alone, on the page's thread
};

}  // namespace polyprof
