#include "runtime/stack_mapper.h"

namespace polyprof {

using Kind = TextFrame::Kind;
using State = ScriptTable::State;

Status StackMapper::map(std::string_view text, ProbePoint point, uint32_t skip, Column<FrameId>& out) {
  out.truncate(0);
  StackText frames(text);
  TextFrame frame{};
  bool comes_second = false;  // the next frame is an async function's second one
  bool has_probes = false;
  bool is_first = true;
  bool may_delegate = point == ProbePoint::kResume;
  while (next_of_script(frames, skip, frame)) {
    if (comes_second) {
      comes_second = false;
      continue;
    }
    const bool is_probed_function = is_first;
    is_first = false;
    const Mapped mapped = map_frame(frame);
    if (mapped.status != Status::kOk) return mapped.status;
    comes_second =
        doubles_async_ && mapped.function != nullptr && mapped.function->has(FunctionTable::kAsync);
    if (is_probed_function && point != ProbePoint::kLeave) continue;
    if (may_delegate && !is_probed_function) {
      may_delegate = mapped.function != nullptr && mapped.function->has(FunctionTable::kDelegates);
      if (may_delegate) continue;
    }
    if (mapped.id.is_none()) continue;
    has_probes |= mapped.function != nullptr;
    // One for all of a run.
    if (mapped.function == nullptr && !out.empty() && out.back() == mapped.id) continue;
    if (out.size() == kMaxFrames) {
      count(counters_.truncated_stacks);
      break;
    }
    if (!out.push(mapped.id)) return Status::kOutOfMemory;
  }
  if (!has_probes) out.truncate(0);
  return Status::kOk;
}

bool StackMapper::next_of_script(StackText& frames, uint32_t& skip, TextFrame& frame) {
  while (frames.next(frame)) {
    if (skip > 0) {
      --skip;
      continue;
    }
    if (frame.kind == Kind::kAsyncBoundary) return false;
    if (frame.kind == Kind::kUnparsed) count(counters_.unparsed_frames);
    if (frame.kind == Kind::kScript) return true;
  }
  return false;
}

StackMapper::Mapped StackMapper::map_frame(const TextFrame& frame) {
  const ResourceId url = strings_.intern(frame.url);
  if (url.is_none()) return {Status::kOutOfMemory, {}};
  const auto found = scripts_.find(url, frame.position, has_starts_, frame.name, strings_);
  if (!found.is_named && found.has(State::kPending)) return {Status::kPendingTable, {}};
  if (found.function != nullptr) return table_frame(frame, url, found.function);
  // A position outside every function of a known script: code that the build step did not see as a function.
  if (found.has(State::kLoaded)) return {Status::kOk, {}};
  if (!found.has(State::kFailed)) return marks_unknown_ ? unknown_frame() : Mapped{Status::kOk, {}};
  count(counters_.fallback_frames);
  return engine_frame(frame, url);
}

StackMapper::Mapped StackMapper::table_frame(const TextFrame& frame, ResourceId url,
                                             const FunctionTable::Function* function) {
  const bool is_silent = hides_quiet_ && function->has(FunctionTable::kQuiet);
  if (is_silent || !function->has(FunctionTable::kHasProbes)) return {Status::kOk, {}, function};
  NameId name = function->name;
  if (function->has(FunctionTable::kNameAtRunTime)) name = strings_.intern(clean_name(frame.name));
  if (name.is_none()) return {Status::kOutOfMemory, {}};
  return interned({name, url, function->definition.line, function->definition.column}, function);
}

// As the engine says: the place is that of the call, for want of a better one.
StackMapper::Mapped StackMapper::engine_frame(const TextFrame& frame, ResourceId url) {
  const NameId name = strings_.intern(clean_name(frame.name));
  if (name.is_none()) return {Status::kOutOfMemory, {}};
  // Without its table nobody knows which functions of an instrumented script have probes: all of them count.
  static constexpr FunctionTable::Function kUnknown{};
  return interned({name, url, frame.position.line, frame.position.column}, &kUnknown);
}

StackMapper::Mapped StackMapper::unknown_frame() {
  const NameId name = strings_.intern(kUnknownName);
  if (name.is_none()) return {Status::kOutOfMemory, {}};
  return interned({name, {}, 0, 0}, nullptr);
}

StackMapper::Mapped StackMapper::interned(const Frame& frame, const FunctionTable::Function* function) {
  const FrameId id = frames_.intern(frame);
  return {id.is_none() ? Status::kOutOfMemory : Status::kOk, id, function};
}

}  // namespace polyprof
