#include "runtime/stack_mapper.h"

namespace polyprof {

using Kind = TextFrame::Kind;

Status StackMapper::map(std::string_view text, ProbePoint point, uint32_t skip, Column<FrameId>& out) {
  out.truncate(0);
  StackText frames(text);
  TextFrame frame{};
  bool has_probes = false;
  bool is_first = true;
  bool may_delegate = point == ProbePoint::kResume;
  while (frames.next(frame)) {
    if (skip > 0) {
      --skip;
      continue;
    }
    if (frame.kind == Kind::kAsyncBoundary) break;
    if (frame.kind == Kind::kUnparsed) count(counters_.unparsed_frames);
    if (frame.kind != Kind::kScript) continue;
    const bool is_probed_function = is_first;
    is_first = false;
    const Mapped mapped = map_frame(frame);
    if (mapped.status != Status::kOk) return mapped.status;
    if (is_probed_function && point != ProbePoint::kLeave) continue;
    if (may_delegate && !is_probed_function) {
      may_delegate = mapped.function != nullptr && mapped.function->has(FunctionTable::kDelegates);
      if (may_delegate) continue;
    }
    if (mapped.id.is_none()) continue;
    has_probes |= mapped.function != nullptr;
    if (out.size() == kMaxFrames) {
      count(counters_.truncated_stacks);
      break;
    }
    if (!out.push(mapped.id)) return Status::kOutOfMemory;
  }
  if (!has_probes) out.truncate(0);
  return Status::kOk;
}

StackMapper::Mapped StackMapper::map_frame(const TextFrame& frame) {
  const ResourceId url = strings_.intern(frame.url);
  if (url.is_none()) return {Status::kOutOfMemory, {}};
  const auto found = scripts_.find(url, frame.position);
  if (found.function != nullptr) return table_frame(frame, url, found.function);
  if (found.is_pending) return {Status::kPendingTable, {}};
  // A position outside every function of a known script: code that the build step did not see as a function.
  if (found.is_known) return {Status::kOk, {}};
  if (found.has_failed) count(counters_.fallback_frames);
  const Mapped mapped = engine_frame(frame, url);
  // Without its table nobody knows which functions of an instrumented script have probes: all of them count.
  static constexpr FunctionTable::Function kUnknown{};
  return found.has_failed ? Mapped{mapped.status, mapped.id, &kUnknown} : mapped;
}

StackMapper::Mapped StackMapper::table_frame(const TextFrame& frame, ResourceId url,
                                             const FunctionTable::Function* function) {
  if (!function->has(FunctionTable::kHasProbes)) return {Status::kOk, {}, function};
  NameId name = function->name;
  if (function->has(FunctionTable::kNameAtRunTime)) name = strings_.intern(clean_name(frame.name));
  if (name.is_none()) return {Status::kOutOfMemory, {}};
  return interned({name, url, function->start.line, function->start.column}, function);
}

// As the engine says: the place is that of the call, for want of a better one.
StackMapper::Mapped StackMapper::engine_frame(const TextFrame& frame, ResourceId url) {
  const NameId name = strings_.intern(clean_name(frame.name));
  if (name.is_none()) return {Status::kOutOfMemory, {}};
  return interned({name, url, frame.position.line, frame.position.column}, nullptr);
}

StackMapper::Mapped StackMapper::interned(const Frame& frame, const FunctionTable::Function* function) {
  const FrameId id = frames_.intern(frame);
  return {id.is_none() ? Status::kOutOfMemory : Status::kOk, id, function};
}

}  // namespace polyprof
