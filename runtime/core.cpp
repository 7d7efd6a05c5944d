#include "runtime/core.h"

#include <algorithm>

#include "runtime/trace_encoder.h"

namespace polyprof {

double Core::interval_ms(SessionId id) const {
  const Session* session = sessions_.find(id);
  return session == nullptr ? 0 : session->plan().interval_ticks() * TickSchedule::kBaseIntervalMs;
}

double Core::ms_until_next_tick(double now_ms) const {
  const int32_t tick = schedule_.tick_at(now_ms);
  const uint32_t longest = longest_wait_ticks();
  const int32_t next = longest == 0 ? tick + 1 : next_tick(tick);
  const double wait_ms = schedule_.time_ms(next) - now_ms;
  return wait_ms > 0 ? wait_ms : std::max(longest, 1u) * TickSchedule::kBaseIntervalMs;
}

bool Core::is_full(SessionId id) const {
  const Session* session = sessions_.find(id);
  return session != nullptr && session->is_full();
}

Core::Registered Core::register_script(std::string_view stack_text, uint32_t script_id,
                                       uint32_t first_function_id) {
  StackText frames(stack_text);
  TextFrame frame{};
  if (!frames.next(frame) || frame.kind != TextFrame::Kind::kScript) return {Status::kInvalidArgument, {}};
  const ResourceId url = strings_.intern(frame.url);
  if (url.is_none()) return {Status::kOutOfMemory, {}};
  const ScriptRow row = scripts_.add(url, script_id, first_function_id);
  return {row.is_none() ? Status::kOutOfMemory : Status::kOk, row};
}

std::string_view Core::script_url(ScriptRow row) const {
  const auto* script = scripts_.find(row);
  return script == nullptr ? std::string_view() : strings_.text(script->url);
}

Status Core::load_table(ScriptRow row, std::span<const uint8_t> bytes) {
  auto* script = scripts_.find(row);
  if (script == nullptr) return Status::kUnknownScript;
  if (script->state == ScriptTable::kLoaded) return Status::kOk;
  const bool is_missing = bytes.data() == nullptr;
  if (is_missing && script->state == ScriptTable::kPending) count(counters_.missing_tables);
  script->state = ScriptTable::kFailed;
  if (is_missing) return Status::kOk;
  const Status status = script->functions.read(bytes, script->id, strings_);
  if (status == Status::kOk) script->state = ScriptTable::kLoaded;
  if (status == Status::kBadTable) count(counters_.bad_tables);
  if (status == Status::kTableMismatch) count(counters_.mismatched_tables);
  if (status == Status::kOutOfMemory) count(counters_.lost_to_memory);
  return status;
}

Core::MappedStack Core::stack_of_text(std::string_view text, ProbePoint point, uint32_t skip) {
  const Status status = mapper_.map(text, point, skip, running_);
  if (status == Status::kOutOfMemory) count(counters_.lost_to_memory);
  if (status != Status::kOk) return {status, {}};
  StackId stack;
  for (uint32_t i = running_.size(); i-- > 0;) {
    stack = stacks_.intern(stack, running_[i]);
    if (stack.is_none()) {
      count(counters_.lost_to_memory);
      return {Status::kOutOfMemory, {}};
    }
  }
  return {Status::kOk, stack};
}

Core::MappedStack Core::stack_of_shadow(const ShadowStack& shadow) {
  const auto mapped = shadow_mapper_.map(shadow);
  if (mapped.status == Status::kOutOfMemory) count(counters_.lost_to_memory);
  return {mapped.status, mapped.id};
}

Status Core::encode_trace(SessionId id, ByteSink out) {
  Session* session = sessions_.find(id);
  if (session == nullptr) return Status::kUnknownSession;
  return polyprof::encode_trace(*session, schedule_, {strings_, frames_, stacks_, scripts_, has_markers_},
                                counters_, out);
}

}  // namespace polyprof
