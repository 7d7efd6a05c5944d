#include "runtime/script_table.h"

#include <new>

namespace polyprof {

ScriptId ScriptTable::add(ResourceId url, uint32_t key) {
  for (uint32_t i = 0; i < scripts_.size(); ++i) {
    if (scripts_[i]->url == url && scripts_[i]->key == key) return ScriptId(i);
  }
  if (scripts_.size() == kMaxScripts) return {};
  auto* script = new (std::nothrow) Script{url, key, State::kPending, {}};
  if (script == nullptr) return {};
  if (scripts_.push(script)) return ScriptId(scripts_.size() - 1);
  delete script;
  return {};
}

const ScriptTable::Script* ScriptTable::find(ScriptId id) const {
  return id.value() < scripts_.size() ? scripts_[id.value()] : nullptr;
}

ScriptTable::Script* ScriptTable::find(ScriptId id) {
  return id.value() < scripts_.size() ? scripts_[id.value()] : nullptr;
}

ScriptTable::Found ScriptTable::find(ResourceId url, Position position) const {
  Found found;
  for (const Script* script : scripts_) {
    if (!(script->url == url)) continue;
    found.is_known |= script->state == State::kLoaded;
    found.is_pending |= script->state == State::kPending;
    found.has_failed |= script->state == State::kFailed;
    const auto* function = script->functions.find(position);
    // Tables of one page's inline scripts hold the whole page's functions: any of them will do.
    if (function != nullptr) found.function = function;
  }
  return found;
}

}  // namespace polyprof
