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
// Functions of the shadow stack are known by their id: they get name and place from their script's function table. Without a table they count as fallback_frames and have
// at best their script's address. What then looks equal is one frame, and stacks of equal frames are one stack. Only what the samples need is written, numbered in the order of first use; a parent comes before its children. A
// sample of weight w becomes w samples, an interval apart. Members that have no value are absent. Sorts the session's samples.
Status encode_trace(Session& session, const TickSchedule& schedule, const TraceTables& tables,
                    Counters& counters, ByteSink out);

}  // namespace polyprof
