#include "runtime/script_table.h"

#include <new>

namespace polyprof {

ScriptRow ScriptTable::add(ResourceId url, uint32_t script_id, uint32_t first_function_id) {
  for (uint32_t i = 0; i < scripts_.size(); ++i) {
    const Script& script = *scripts_[i];
    if (script.url == url && script.id == script_id && script.first_function_id == first_function_id) {
      return ScriptRow(i);
    }
  }
  if (scripts_.size() == kMaxScripts) return {};
  auto* script = new (std::nothrow) Script{url, script_id, State::kPending, {}, first_function_id};
  if (script == nullptr) return {};
  if (scripts_.push(script)) return ScriptRow(scripts_.size() - 1);
  delete script;
  return {};
}

const ScriptTable::Script* ScriptTable::find(ScriptRow row) const {
  return row.value() < scripts_.size() ? scripts_[row.value()] : nullptr;
}

ScriptTable::Script* ScriptTable::find(ScriptRow row) {
  return row.value() < scripts_.size() ? scripts_[row.value()] : nullptr;
}

ScriptTable::Found ScriptTable::find(ResourceId url, Position position, bool is_start) const {
  Found found;
  for (const Script* script : scripts_) {
    if (!(script->url == url)) continue;
    found.is_known |= script->state == State::kLoaded;
    found.is_pending |= script->state == State::kPending;
    found.has_failed |= script->state == State::kFailed;
    const auto* function = script->functions.find(position, is_start);
    // Tables of one page's inline scripts hold the whole page's functions: any of them will do.
    if (function != nullptr) found.function = function;
  }
  return found;
}

ScriptTable::FunctionOfId ScriptTable::find_function(uint32_t id) const {
  const Script* nearest = nullptr;  // the one whose ids start closest below
  for (const Script* script : scripts_) {
    const uint32_t first = script->first_function_id;
    if (first == 0 || first > id) continue;
    if (nearest == nullptr || first > nearest->first_function_id) nearest = script;
  }
  if (nearest == nullptr) return {};
  if (nearest->state != State::kLoaded) return {nearest, nullptr};
  const uint32_t row = id - nearest->first_function_id;
  if (row >= nearest->functions.size()) return {};
  return {nearest, &nearest->functions.at(row)};
}

}  // namespace polyprof
