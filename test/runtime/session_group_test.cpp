#include "runtime/session_group.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <optional>
#include <vector>

#include "test/runtime/random.h"

using polyprof::Counters;
using polyprof::Sample;
using polyprof::SamplePlan;
using polyprof::Session;
using polyprof::SessionGroup;
using polyprof::SessionId;
using polyprof::StackId;
using polyprof::Status;
using polyprof::test::Random;

namespace {

SessionId open(SessionGroup& group, double interval_ms, uint32_t max_samples, int32_t tick) {
  const auto opened = group.open(interval_ms, max_samples, tick);
  REQUIRE(opened.status == Status::kOk);
  return opened.id;
}

std::vector<int32_t> ticks_of(const Session& session) {
  std::vector<int32_t> ticks;
  for (const Sample& sample : session.buffer().samples()) {
    int32_t tick = sample.first_tick;
    for (uint32_t i = 0; i < sample.weight; ++i, tick = session.plan().next(tick)) ticks.push_back(tick);
  }
  return ticks;
}

}  // namespace

TEST_CASE("an interval is rounded up to whole base intervals, of which there is at least one") {
  SessionGroup group;
  const auto interval_of = [&](double interval_ms) {
    const SessionId id = open(group, interval_ms, 1, 0);
    const uint32_t ticks = group.find(id)->plan().interval_ticks();
    REQUIRE(group.release(id) == Status::kOk);
    return ticks;
  };
  CHECK(interval_of(0) == 1);
  CHECK(interval_of(0.2) == 1);
  CHECK(interval_of(1) == 1);
  CHECK(interval_of(1.001) == 2);
  CHECK(interval_of(10) == 10);
  CHECK(interval_of(1e300) == 1u << 30);
  CHECK(interval_of(HUGE_VAL) == 1u << 30);
}

TEST_CASE("an interval that is negative or no number opens nothing") {
  SessionGroup group;
  CHECK(group.open(-1, 1, 0).status == Status::kInvalidArgument);
  CHECK(group.open(std::nan(""), 1, 0).status == Status::kInvalidArgument);
  CHECK(group.longest_wait_ticks() == 0);
}

TEST_CASE("a session takes the multiples of its interval after the tick at which it was opened") {
  SessionGroup group;
  Counters counters;
  const SessionId id = open(group, 5, 100, 12);
  CHECK(group.record(0, 14, StackId(1), counters) == 0);
  CHECK(group.record(14, 15, StackId(2), counters) == 0);
  CHECK(group.record(15, 31, StackId(3), counters) == 0);
  const auto& samples = group.find(id)->buffer().samples();
  REQUIRE(samples.size() == 2);
  CHECK(samples[0].first_tick == 15);
  CHECK(samples[0].stack == StackId(2));
  CHECK(samples[1].first_tick == 20);
  CHECK(samples[1].weight == 3);
  CHECK(counters.filled_ticks == 2);
}

TEST_CASE("a closed session takes no later ticks, and earlier ones when they become known late") {
  SessionGroup group;
  Counters counters;
  const SessionId id = open(group, 1, 100, 0);
  CHECK(group.record(0, 2, StackId(1), counters) == 0);
  CHECK(group.close(id, 6) == Status::kOk);
  CHECK(group.close(id, 9) == Status::kOk);
  CHECK(group.longest_wait_ticks() == 0);
  CHECK(group.record(4, 8, StackId(3), counters) == 0);
  CHECK(group.record(2, 4, StackId(2), counters) == 0);
  CHECK(ticks_of(*group.find(id)) == std::vector<int32_t>{1, 2, 5, 6, 3, 4});
}

TEST_CASE("a full buffer closes the session, keeps what it has, and tells once") {
  SessionGroup group;
  Counters counters;
  const SessionId small = open(group, 1, 3, 0);
  const SessionId large = open(group, 2, 100, 0);
  CHECK(group.longest_wait_ticks() == 1);
  CHECK(group.record(0, 2, StackId(1), counters) == 0);
  CHECK(group.record(2, 8, StackId(2), counters) == 1);
  CHECK(group.record(8, 20, StackId(3), counters) == 0);
  CHECK(group.find(small)->is_full());
  CHECK_FALSE(group.find(small)->is_open());
  CHECK(group.find(large)->is_open());
  CHECK(group.longest_wait_ticks() == 2);
  CHECK(ticks_of(*group.find(small)) == std::vector<int32_t>{1, 2, 3});
  CHECK(ticks_of(*group.find(large)).size() == 10);
}

TEST_CASE("a session without room for samples is full at its first tick") {
  SessionGroup group;
  Counters counters;
  const SessionId id = open(group, 4, 0, 0);
  CHECK(group.fills_at(0) == 4);
  CHECK(group.record(0, 3, StackId(1), counters) == 0);
  CHECK(group.record(3, 4, StackId(1), counters) == 1);
  CHECK(ticks_of(*group.find(id)).empty());
  CHECK(counters.rejected_samples == 1);
  CHECK(counters.filled_ticks == 0);
}

TEST_CASE("what did not fit counts as rejected and not as filled") {
  SessionGroup group;
  Counters counters;
  (void)open(group, 1, 2, 0);
  CHECK(group.record(0, 5, StackId(1), counters) == 1);
  CHECK(counters.rejected_samples == 3);
  CHECK(counters.filled_ticks == 1);
}

TEST_CASE("unknown and released sessions are refused, and their places are free again") {
  SessionGroup group;
  CHECK(group.close(SessionId(0), 1) == Status::kUnknownSession);
  CHECK(group.release(SessionId::none()) == Status::kUnknownSession);
  std::vector<SessionId> ids;
  for (uint32_t i = 0; i < SessionGroup::kMaxSessions; ++i) ids.push_back(open(group, 1, 1, 0));
  CHECK(group.open(1, 1, 0).status == Status::kTooManySessions);
  CHECK(group.release(ids[7]) == Status::kOk);
  CHECK(group.find(ids[7]) == nullptr);
  CHECK(group.release(ids[7]) == Status::kUnknownSession);
  CHECK(open(group, 1, 1, 0) == ids[7]);
}

TEST_CASE("the tick at which a session fills is beyond the schedule when its buffer is that large") {
  SessionGroup group;
  CHECK(group.fills_at(0) == INT32_MAX);
  const SessionId endless = open(group, HUGE_VAL, UINT32_MAX, 0);
  CHECK(group.fills_at(0) == INT32_MAX);
  CHECK(group.fills_at(INT32_MAX) == INT32_MAX);
  (void)open(group, 10, 3, 7);
  CHECK(group.fills_at(0) == 30);
  CHECK(group.fills_at(9) == 30);
  CHECK(group.fills_at(10) == 40);
  CHECK(group.close(endless, 0) == Status::kOk);
}

namespace {

// What a session should have taken, tick by tick.
struct Model {
  SessionId id;
  SamplePlan plan;
  uint32_t max_samples;
  int32_t opened_at;
  int32_t closed_at = INT32_MAX;
  bool is_full = false;
  std::vector<int32_t> ticks{};
  std::vector<StackId> stacks{};

  bool is_open() const { return closed_at == INT32_MAX && !is_full; }

  // Returns how many ticks did not fit.
  uint32_t take(int32_t after, int32_t last, StackId stack) {
    uint32_t rejected = 0;
    if (is_full) return 0;
    for (int32_t tick = after + 1; tick <= last; ++tick) {
      if (plan.last(tick) != tick || tick <= opened_at || tick > closed_at) continue;
      if (ticks.size() < max_samples) {
        ticks.push_back(tick);
        stacks.push_back(stack);
      } else {
        ++rejected;
      }
      is_full = ticks.size() == max_samples;
    }
    return rejected;
  }
};

}  // namespace

TEST_CASE("sessions that come and go get what a model gives them tick by tick") {
  EACH_SEED(random, 300) {
    INFO("seed " << seed_of_random);
    const bool has_jitter = random.one_in(2);
    SessionGroup group(has_jitter);
    Counters counters;
    std::vector<Model> models;
    uint32_t filled = 0;
    uint32_t rejected = 0;
    int32_t tick = 0;
    for (int step = 0; step < 120; ++step) {
      const uint32_t action = random.below(8);
      if (action == 0 && models.size() < SessionGroup::kMaxSessions) {
        const uint32_t interval = random.between(1, 12) * random.between(1, 4);
        const uint32_t max_samples = random.one_in(3) ? random.below(6) : 10'000;
        const SessionId id = open(group, interval - random.below(10) / 10.0, max_samples, tick);
        models.push_back({id, SamplePlan(interval, has_jitter), max_samples, tick});
      } else if (action == 1 && !models.empty()) {
        Model& model = models[random.below(static_cast<uint32_t>(models.size()))];
        if (model.is_open()) model.closed_at = tick;
        REQUIRE(group.close(model.id, tick) == Status::kOk);
      } else {
        const int32_t last =
            tick + static_cast<int32_t>(random.one_in(5) ? random.below(80) : random.below(4));
        const StackId stack = random.one_in(4) ? StackId::none() : StackId(random.below(5));
        uint32_t became_full = 0;
        for (Model& model : models) {
          const bool was_full = model.is_full;
          const size_t before = model.ticks.size();
          rejected += model.take(tick, last, stack);
          const auto taken = static_cast<uint32_t>(model.ticks.size() - before);
          filled += taken > 0 ? taken - 1 : 0;
          became_full += model.is_full && !was_full ? 1 : 0;
        }
        REQUIRE(group.record(tick, last, stack, counters) == became_full);
        tick = last;
      }

      const auto is_due = [&](int32_t candidate) {
        return std::any_of(models.begin(), models.end(), [&](const Model& model) {
          return model.is_open() && model.plan.last(candidate) == candidate;
        });
      };
      const bool has_open =
          std::any_of(models.begin(), models.end(), [](const Model& model) { return model.is_open(); });
      REQUIRE((group.longest_wait_ticks() > 0) == has_open);
      if (!has_open) {
        REQUIRE(group.last_due(tick) == tick);
        REQUIRE(group.next_due(tick) == SamplePlan::kNever);
        continue;
      }
      int32_t due = tick;
      while (due > 0 && !is_due(due)) --due;
      REQUIRE(group.last_due(tick) == due);
      due = tick + 1;
      while (!is_due(due)) ++due;
      REQUIRE(group.next_due(tick) == due);
      REQUIRE(due - group.last_due(tick) <= static_cast<int32_t>(group.longest_wait_ticks()));
    }
    for (const Model& model : models) {
      const Session& session = *group.find(model.id);
      REQUIRE(ticks_of(session) == model.ticks);
      REQUIRE(session.is_full() == model.is_full);
      size_t tick_index = 0;
      for (const Sample& sample : session.buffer().samples()) {
        for (uint32_t i = 0; i < sample.weight; ++i) REQUIRE(model.stacks[tick_index++] == sample.stack);
      }
    }
    CHECK(counters.rejected_samples == rejected);
    CHECK(counters.filled_ticks == filled);
  }
}

TEST_CASE("the tick at which the first session fills is the tick at which it does") {
  EACH_SEED(random, 300) {
    INFO("seed " << seed_of_random);
    SessionGroup group(random.one_in(2));
    Counters counters;
    for (uint32_t i = random.between(1, 4); i > 0; --i) {
      (void)open(group, random.between(1, 9), random.below(8), static_cast<int32_t>(random.below(5)));
    }
    int32_t tick = 5;
    REQUIRE(group.record(0, tick, StackId(0), counters) < 5);
    while (group.longest_wait_ticks() > 0) {
      const int32_t full = group.fills_at(tick);
      if (full > tick + 1) REQUIRE(group.record(tick, full - 1, StackId(0), counters) == 0);
      REQUIRE(group.record(full - 1, full, StackId(0), counters) > 0);
      tick = full;
    }
    CHECK(group.fills_at(tick) == INT32_MAX);
  }
}

TEST_CASE("over 100,000 joins and leaves at random every session gets exactly its rate") {
  constexpr int kJoinsAndLeaves = 100'000;
  for (const bool has_jitter : {false, true}) {
    Random random(1);
    SessionGroup group(has_jitter);
    Counters counters;
    struct Member {
      SessionId id;
      uint32_t interval;
      int32_t joined_at;
    };
    std::vector<Member> members;
    int32_t tick = 0;
    for (int step = 0; step < kJoinsAndLeaves; ++step) {
      const bool joins = members.empty() || (members.size() < SessionGroup::kMaxSessions && random.one_in(2));
      if (joins) {
        const uint32_t interval = random.between(1, 40);
        members.push_back({open(group, interval, UINT32_MAX, tick), interval, tick});
      } else {
        const uint32_t place = random.below(static_cast<uint32_t>(members.size()));
        const Member member = members[place];
        members.erase(members.begin() + place);
        REQUIRE(group.close(member.id, tick) == Status::kOk);
        std::vector<int32_t> due;
        const SamplePlan plan(member.interval, has_jitter);
        for (int32_t next = plan.next(member.joined_at); next <= tick; next = plan.next(next)) {
          due.push_back(next);
        }
        REQUIRE(ticks_of(*group.find(member.id)) == due);
        const int32_t intervals = (tick - member.joined_at) / static_cast<int32_t>(member.interval);
        const int32_t slack = has_jitter ? 1 : 0;
        REQUIRE(static_cast<int32_t>(due.size()) >= intervals - slack);
        REQUIRE(static_cast<int32_t>(due.size()) <= intervals + 1 + slack);
        REQUIRE(group.release(member.id) == Status::kOk);
      }
      const int32_t last = tick + static_cast<int32_t>(random.below(12));
      // As the sampler does: a look at each due tick, or now and then for several at once.
      while (tick < last) {
        const int32_t next = random.one_in(4) ? last : std::min(last, group.next_due(tick));
        REQUIRE(group.record(tick, next, StackId(random.below(3)), counters) == 0);
        tick = next;
      }
    }
    CHECK(counters.rejected_samples == 0);
    CHECK(counters.lost_to_memory == 0);
  }
}

TEST_CASE("a forced sample goes to every open session beside its plan, and may fill it") {
  SessionGroup group;
  Counters counters;
  const SessionId slow = open(group, 1000, 10, 0);
  const SessionId fast = open(group, 10, 3, 0);
  const SessionId closed = open(group, 10, 10, 0);
  REQUIRE(group.close(closed, 5) == Status::kOk);
  CHECK(group.record(0, 20, StackId(1), counters) == 0);
  CHECK(group.record(Session::kForced, 23, StackId(2), counters) == 1);
  CHECK(group.record(Session::kForced, 24, StackId::none(), counters) == 0);
  CHECK(ticks_of(*group.find(fast)) == std::vector<int32_t>{10, 20, 23});
  CHECK(group.find(fast)->is_full());
  CHECK(ticks_of(*group.find(slow)) == std::vector<int32_t>{23, 24});
  CHECK(group.find(slow)->buffer().samples()[1].stack.is_none());
  CHECK(ticks_of(*group.find(closed)).empty());
  CHECK(group.longest_wait_ticks() == 1000);
}
