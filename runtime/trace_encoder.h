#pragma once

#include <cstdint>

#include "runtime/byte_sink.h"
#include "runtime/counters.h"
#include "runtime/frame_table.h"
#include "runtime/script_table.h"
#include "runtime/session.h"
#include "runtime/stack_trie.h"
#include "runtime/status.h"
#include "runtime/string_table.h"
#include "runtime/tick_schedule.h"

namespace polyprof {

// What a trace is made of, shared by all sessions.
struct TraceTables {
  const StringTable& strings;
  const FrameTable& frames;
  const StackTrie& stacks;
  const ScriptTable& scripts;
  bool has_markers = false;  // samples with a stack are marked as script
};

// Writes a session's samples as the JSON of a ProfilerTrace, in UTF-8 and in pieces that may end anywhere:
//   {"resources":[url...],"frames":[{"name","resourceId","line","column"}...],"stacks":[{"parentId","frameId"}...],
//    "samples":[{"timestamp","stackId","marker"}...]}
// Functions that are known by their id get what their script's table says, or count as fallback_frames: those have their script's
// address at best. Only what the samples need is in it, numbered in the order in which they first need it; a parent comes before its children. A
// sample of weight w becomes w samples, an interval apart. Members that have no value are absent. Puts the session's samples in order.
Status encode_trace(Session& session, const TickSchedule& schedule, const TraceTables& tables,
                    Counters& counters, ByteSink out);

}  // namespace polyprof
