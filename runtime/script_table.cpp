#include "runtime/script_table.h"

#include <new>

namespace polyprof {

ScriptRow ScriptTable::add(ResourceId url, uint32_t script_id, uint32_t first_function_id) {
  const ScriptRow row = row_of(url, script_id);
  if (row.is_none() || first_function_id == 0) return row;
  const bool has_room = ids_.size() < kMaxScripts && ids_.push({first_function_id, row});
  return has_room ? row : ScriptRow();
}

ScriptRow ScriptTable::row_of(ResourceId url, uint32_t script_id) {
  Script*& latest = latest_[url.value() % kBuckets];
  for (const Script* script = latest; script != nullptr; script = script->before) {
    if (script->url == url && script->id == script_id) return script->row;
  }
  const ScriptRow row(scripts_.size());
  if (row.value() == kMaxScripts || !scripts_.push(nullptr)) return {};
  auto* script = new (std::nothrow) Script{url, script_id, row, latest, State::kPending, {}};
  if (script == nullptr) {
    scripts_.truncate(row.value());
    return {};
  }
  latest = scripts_[row.value()] = script;
  return row;
}

const ScriptTable::Script* ScriptTable::find(ScriptRow row) const {
  return row.value() < scripts_.size() ? scripts_[row.value()] : nullptr;
}

ScriptTable::Script* ScriptTable::find(ScriptRow row) {
  return row.value() < scripts_.size() ? scripts_[row.value()] : nullptr;
}

ScriptTable::Found ScriptTable::find(ResourceId url, Position position, bool is_start, std::string_view name,
                                     const StringTable& names) const {
  Found found;
  for (const Script* script = latest_[url.value() % kBuckets]; script != nullptr; script = script->before) {
    if (!(script->url == url)) continue;
    found.states |= script->state;
    const auto* function = script->functions.find(position, is_start);
    if (function == nullptr) continue;
    const bool is_first = found.function == nullptr;
    // Tables of one page's inline scripts hold the whole page's functions: any of them will do.
    if (is_first) found.function = function;
    // A script that is alone, as nearly all are, needs no look at names.
    if (is_first && found.states == kLoaded) continue;
    if (names.text(function->name) != name) continue;
    found.function = function;
    found.is_named = true;
  }
  return found;
}

ScriptTable::FunctionOfId ScriptTable::find_function(uint32_t id) const {
  const IdRange* nearest = nullptr;  // the one that starts closest below
  for (const IdRange& ids : ids_) {
    if (ids.first <= id && (nearest == nullptr || ids.first > nearest->first)) nearest = &ids;
  }
  if (nearest == nullptr) return {};
  const Script* script = scripts_[nearest->script.value()];
  if (script->state != State::kLoaded) return {script, nullptr};
  const uint32_t row = id - nearest->first;
  if (row >= script->functions.size()) return {};
  return {script, &script->functions.at(row)};
}

}  // namespace polyprof
