#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "runtime/byte_sink.h"
#include "runtime/column.h"
#include "runtime/counters.h"
#include "runtime/frame_table.h"
#include "runtime/ids.h"
#include "runtime/script_table.h"
#include "runtime/session_group.h"
#include "runtime/shadow_mapper.h"
#include "runtime/shadow_stack.h"
#include "runtime/stack_mapper.h"
#include "runtime/stack_trie.h"
#include "runtime/status.h"
#include "runtime/string_table.h"
#include "runtime/tick_schedule.h"

namespace polyprof {

// The profiler's core. The life of one sample, in call order:
//
//   ms_until_next_tick()  the worker waits until a tick is due to any session,
//   tick_at()             finds which one it is, and raises the flag that the page's probes look at.
//   stack_of_text()       The first probe that sees it gives the text of its stack: StackText walks it, ScriptTable finds the
//                         function of each frame, FrameTable and StackTrie give the frames and the stack their numbers.
//   record()              Each session takes those of the ticks since the last look that are due to it.
//   encode_trace()        In the end a session's samples, and what they refer to, become the bytes of a trace.
//
// With shadow probes nothing is raised: the worker itself asks stack_of_shadow() at each tick, and record()s.
//
// Threads: the schedule (longest_wait_ticks, tick_at, next_tick, ms_until_next_tick) may be asked from any thread; for all else
// there is one thread at a time, which the callers see to. Time is an argument, in ms since the page's time origin; there is no clock here.
class Core {
 public:
  // epoch_ms: time of tick 0. has_jitter: no work of the page is in step with the ticks (Jitter). doubles_async, marks_unknown, hides_quiet, has_starts: see StackMapper.
  // has_markers: samples with a stack are marked as script in traces, as is due in pages that are cross-origin isolated.
  explicit Core(double epoch_ms, bool has_jitter = false, bool doubles_async = false,
                bool marks_unknown = false, bool hides_quiet = false, bool has_starts = false,
                bool has_markers = false)
      : schedule_(epoch_ms, has_jitter),
        sessions_(has_jitter),
        mapper_(strings_, frames_, scripts_, counters_, doubles_async, marks_unknown, hides_quiet,
                has_starts),
        has_markers_(has_markers) {}

  // The interval is rounded up to a multiple of the base interval. Samples are those of ticks later than now.
  SessionGroup::Opened open_session(double interval_ms, uint32_t max_samples, double now_ms) {
    return sessions_.open(interval_ms, max_samples, schedule_.tick_at(now_ms));
  }
  // Takes no ticks later than now; what ran at earlier ones may still be recorded.
  Status close_session(SessionId id, double now_ms) { return sessions_.close(id, schedule_.tick_at(now_ms)); }
  // Forgets the session and its samples.
  Status release_session(SessionId id) { return sessions_.release(id); }

  // 0: there is no such session.
  [[nodiscard]] double interval_ms(SessionId id) const;
  [[nodiscard]] bool is_full(SessionId id) const;

  // The most ticks from one that is due to any session to the next; 0 without open sessions.
  [[nodiscard]] uint32_t longest_wait_ticks() const { return sessions_.longest_wait_ticks(); }
  // The latest tick that is due to any session; without open sessions, of all.
  [[nodiscard]] int32_t tick_at(double now_ms) const { return sessions_.last_due(schedule_.tick_at(now_ms)); }
  // The first one after `tick`. INT32_MAX: none.
  [[nodiscard]] int32_t next_tick(int32_t tick) const { return sessions_.next_due(tick); }
  // From now to the next tick that is due to any session; more than 0, also after the schedule's end.
  [[nodiscard]] double ms_until_next_tick(double now_ms) const;
  // The soonest tick at which an open session is full if all ticks after `tick` are recorded. INT32_MAX: none, or never.
  [[nodiscard]] int32_t fills_at_tick(int32_t tick) const { return sessions_.fills_at(tick); }

  struct Registered {
    Status status;
    ScriptRow row;
  };
  // An instrumented script: its address is that of the first frame of the text. Known ones keep their row.
  // first_function_id: of its shadow probes; 0: it has none.
  Registered register_script(std::string_view stack_text, uint32_t script_id, uint32_t first_function_id = 0);
  // Empty: there is no such script. Valid until the next call.
  [[nodiscard]] std::string_view script_url(ScriptRow row) const;
  // Frames are found in the table from now on, or, if it is bad, given as the engine names them. Nullptr: see fail_table.
  Status load_table(ScriptRow row, std::span<const uint8_t> bytes);
  // There is no table to be had, unless one was loaded: frames are given as the engine names them.
  Status fail_table(ScriptRow row) { return load_table(row, {}); }

  struct MappedStack {
    Status status;
    StackId id;  // none: nothing that has probes was running
  };
  // What was running before the probe at which the text was taken; see StackMapper.
  // kOutOfMemory also when the trie is full: a part of the stack in its place would charge callers with what they called.
  MappedStack stack_of_text(std::string_view text, ProbePoint point, uint32_t skip);

  // What the page's shadow probes say is running now.
  MappedStack stack_of_shadow(const ShadowStack& shadow);

  // In all ticks of (after, last] that stack ran. The number of sessions that became full by it and took their last sample.
  uint32_t record(int32_t after, int32_t last, StackId stack) {
    return sessions_.record(after, last, stack, counters_);
  }

  // Each open session takes a sample beside its plan: that stack runs now. As record().
  uint32_t force_sample(double now_ms, StackId stack) {
    return record(Session::kForced, schedule_.tick_at(now_ms), stack);
  }

  // Writes the session's ProfilerTrace; see trace_encoder.h. kOutOfMemory: part of it may have been written.
  Status encode_trace(SessionId id, ByteSink out);

  [[nodiscard]] const Counters& counters() const { return counters_; }

 private:
  TickSchedule schedule_;
  SessionGroup sessions_;
  Counters counters_;
  StringTable strings_;
  FrameTable frames_;
  StackTrie stacks_;
  ScriptTable scripts_;
  StackMapper mapper_;
  ShadowMapper shadow_mapper_{frames_, stacks_, counters_};
  bool has_markers_;
  Column<FrameId> running_;  // of the stack at hand; kept to reuse its memory
};

}  // namespace polyprof
