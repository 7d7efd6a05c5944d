#pragma once

#include <string_view>

#include "runtime/column.h"
#include "runtime/function_table.h"
#include "runtime/ids.h"
#include "runtime/string_table.h"

namespace polyprof {

// The instrumented scripts of the page and their function tables.
class ScriptTable {
 public:
  static constexpr uint32_t kMaxScripts = 1 << 14;
  static constexpr uint32_t kBuckets = 1 << 10;

  enum State : uint8_t { kPending = 1, kLoaded = 2, kFailed = 4 };  // a bit each

  struct Script {
    ResourceId url;
    uint32_t id;  // what its build gave it
    ScriptRow row;
    Script* before;  // in its bucket
    State state = State::kPending;
    FunctionTable functions;
  };

  ScriptTable() = default;
  ScriptTable(const ScriptTable&) = delete;
  ScriptTable& operator=(const ScriptTable&) = delete;
  ~ScriptTable() {
    for (Script* script : scripts_) delete script;
  }

  // The script of that address and id: several inline scripts share an address, and one that is loaded again shares its table.
  // first_function_id: what its functions' ids in the shadow stack start at, in the order of its table; 0: it has no shadow probes.
  // none() when there is no memory, or kMaxScripts are there or were loaded.
  ScriptRow add(ResourceId url, uint32_t script_id, uint32_t first_function_id = 0);

  // nullptr: there is no such script.
  [[nodiscard]] Script* find(ScriptRow row);
  [[nodiscard]] const Script* find(ScriptRow row) const;

  struct Found {
    // Innermost at the position, of whichever table has one.
    const FunctionTable::Function* function = nullptr;
    uint32_t states = 0;    // of the scripts that have the address
    bool is_named = false;  // as the engine names it; not looked at where no other script may have one there

    [[nodiscard]] bool has(State state) const { return (states & state) != 0; }
  };
  // Scripts may share an address, as JavaScriptCore says it without its query: of functions at the position it is the one of that name.
  // is_start: see FunctionTable::find.
  [[nodiscard]] Found find(ResourceId url, Position position, bool is_start, std::string_view name,
                           const StringTable& names) const;

  struct FunctionOfId {
    const Script* script = nullptr;                     // nullptr: the id is in nobody's range
    const FunctionTable::Function* function = nullptr;  // nullptr: the script's table is not there
  };
  [[nodiscard]] FunctionOfId find_function(uint32_t id) const;

 private:
  // The ids that one load of a script has.
  struct IdRange {
    uint32_t first;
    ScriptRow script;
  };

  [[nodiscard]] ScriptRow row_of(ResourceId url, uint32_t script_id);

  Column<Script*> scripts_;
  // By address: each frame asks for one of what may be thousands of scripts.
  Script* latest_[kBuckets] = {};
  Column<IdRange> ids_;
};

}  // namespace polyprof
