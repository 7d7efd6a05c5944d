#include "runtime/session_group.h"

#include <algorithm>
#include <cmath>

#include "runtime/tick_schedule.h"

namespace polyprof {

namespace {

// Half of the whole schedule: with jitter, the longest wait is a tick still. As LONGEST_INTERVAL_MS in polyfill/interface/options.js.
constexpr uint32_t kLongestTicks = 1u << 30;

// Rounded up to a multiple of the base interval, at least one.
uint32_t ticks_of(double interval_ms) {
  const double ticks = std::ceil(interval_ms / TickSchedule::kBaseIntervalMs);
  if (!(ticks > 1)) return 1;
  return ticks >= kLongestTicks ? kLongestTicks : static_cast<uint32_t>(ticks);
}

}  // namespace

SessionGroup::Opened SessionGroup::open(double interval_ms, uint32_t max_samples, int32_t tick) {
  if (!(interval_ms >= 0)) return {Status::kInvalidArgument, {}};
  for (uint32_t i = 0; i < kMaxSessions; ++i) {
    if (sessions_[i]) continue;
    sessions_[i].emplace(SamplePlan(ticks_of(interval_ms), has_jitter_), max_samples, tick);
    replan();
    return {Status::kOk, SessionId(i)};
  }
  return {Status::kTooManySessions, {}};
}

Status SessionGroup::close(SessionId id, int32_t tick) {
  Session* session = find(id);
  if (session == nullptr) return Status::kUnknownSession;
  if (session->is_open()) session->close(tick);
  replan();
  return Status::kOk;
}

Status SessionGroup::release(SessionId id) {
  if (find(id) == nullptr) return Status::kUnknownSession;
  sessions_[id.value()].reset();
  replan();
  return Status::kOk;
}

uint32_t SessionGroup::record(int32_t after, int32_t last, StackId stack, Counters& counters) {
  uint32_t became_full = 0;
  for (auto& session : sessions_) {
    if (!session) continue;
    const auto taken = session->take(after, last, stack);
    if (taken.ticks == 0) continue;
    if (taken.no_memory) {
      count(counters.lost_to_memory, taken.ticks);
      continue;
    }
    count(counters.rejected_samples, taken.rejected);
    const uint32_t kept = taken.ticks - taken.rejected;
    if (kept > 0) count(counters.filled_ticks, kept - 1);
    if (!taken.became_full) continue;
    session->close(last);
    ++became_full;
  }
  if (became_full > 0) replan();
  return became_full;
}

Session* SessionGroup::find(SessionId id) {
  return id.value() < kMaxSessions && sessions_[id.value()] ? &*sessions_[id.value()] : nullptr;
}

int32_t SessionGroup::fills_at(int32_t tick) const {
  int32_t soonest = SamplePlan::kNever;
  for (const auto& session : sessions_) {
    if (session && session->is_open()) soonest = std::min(soonest, session->fills_at(tick));
  }
  return soonest;
}

uint32_t SessionGroup::longest_wait_ticks() const {
  uint32_t shortest = 0;
  for_each_plan([&](const SamplePlan& plan) {
    if (shortest == 0 || plan.longest_wait_ticks() < shortest) shortest = plan.longest_wait_ticks();
  });
  return shortest;
}

int32_t SessionGroup::last_due(int32_t tick) const {
  int32_t last = -1;
  for_each_plan([&](const SamplePlan& plan) { last = std::max(last, plan.last(tick)); });
  return last < 0 ? tick : last;
}

int32_t SessionGroup::next_due(int32_t tick) const {
  int32_t next = SamplePlan::kNever;
  for_each_plan([&](const SamplePlan& plan) { next = std::min(next, plan.next(tick)); });
  return next;
}

void SessionGroup::replan() {
  uint32_t count = 0;
  for (const auto& session : sessions_) {
    if (!session || !session->is_open()) continue;
    const uint32_t ticks = session->plan().interval_ticks();
    uint32_t i = 0;
    while (i < count && intervals_[i].load(std::memory_order_relaxed) != ticks) ++i;
    if (i == count) intervals_[count++].store(ticks, std::memory_order_relaxed);
  }
  intervals_[count].store(0, std::memory_order_relaxed);
}

}  // namespace polyprof
