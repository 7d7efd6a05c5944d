#pragma once

#include <cstdint>
#include <string_view>

#include "runtime/column.h"
#include "runtime/counters.h"
#include "runtime/frame_table.h"
#include "runtime/ids.h"
#include "runtime/script_table.h"
#include "runtime/stack_text.h"
#include "runtime/status.h"
#include "runtime/string_table.h"

namespace polyprof {

// Where in the probed function f the text was taken. It says who ran until then.
enum class ProbePoint : uint32_t {
  kEnter = 0,   // f's caller
  kLeave = 1,   // f: it returns, throws or suspends now
  kResume = 2,  // f's caller, or that of the generators that delegate to f: they are resumed with it
};

// From stack text to the frames of probed functions that were running.
class StackMapper {
 public:
  static constexpr uint32_t kMaxFrames = 2048;
  static constexpr std::string_view kUnknownName = "unknown";

  // doubles_async: the engine is JavaScriptCore. There an async function that was not suspended yet has two frames: its body's, and below
  // it one whose place may lie outside of the function. A resumed one has but the first, and is the outermost.
  // hides_quiet: quiet functions are as those without probes.
  // has_starts: frames' positions are where their functions start, and not where calls are.
  StackMapper(StringTable& strings, FrameTable& frames, const ScriptTable& scripts, Counters& counters,
              bool doubles_async = false, bool marks_unknown = false, bool hides_quiet = false,
              bool has_starts = false)
      : strings_(strings),
        frames_(frames),
        scripts_(scripts),
        counters_(counters),
        doubles_async_(doubles_async),
        marks_unknown_(marks_unknown),
        hides_quiet_(hides_quiet),
        has_starts_(has_starts) {}

  // Writes the running frames, leaf first. skip: leading frames of the text that are the hook's own; the frame after them is f's.
  // Functions without probes are left out, as if inlined into their callers, and so are scripts that are not instrumented, whose
  // functions' places nobody knows and whose origin may be another; with marks_unknown the latter are one frame kUnknownName without
  // a place, per run of them. No frames at all when none is left that has probes:
  // then nothing we know of was running, and a callback that happens to come after an idle gap must not be charged with it.
  // kPendingTable: the text names a script whose table is on its way; kOutOfMemory.
  Status map(std::string_view text, ProbePoint point, uint32_t skip, Column<FrameId>& out);

 private:
  struct Mapped {
    Status status;
    FrameId id;                                         // none: leave it out
    const FunctionTable::Function* function = nullptr;  // nullptr: not of an instrumented script
  };
  // False: no further frame was running. skip counts down.
  bool next_of_script(StackText& frames, uint32_t& skip, TextFrame& frame);
  Mapped map_frame(const TextFrame& frame);
  Mapped table_frame(const TextFrame& frame, ResourceId url, const FunctionTable::Function* function);
  Mapped engine_frame(const TextFrame& frame, ResourceId url);
  Mapped unknown_frame();
  Mapped interned(const Frame& frame, const FunctionTable::Function* function);

  StringTable& strings_;
  FrameTable& frames_;
  const ScriptTable& scripts_;
  Counters& counters_;
  const bool doubles_async_;
  const bool marks_unknown_;
  const bool hides_quiet_;
  const bool has_starts_;
};

}  // namespace polyprof
