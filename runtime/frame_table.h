#pragma once

#include "runtime/column.h"
#include "runtime/ids.h"
#include "runtime/interner.h"

namespace polyprof {

// A function as a trace shows it. 0 as line or column: not known.
struct Frame {
  NameId name;
  ResourceId resource;
  uint32_t line = 0;    // 1-based, of the definition
  uint32_t column = 0;  // 1-based, in UTF-16 code units

  // A function of which only its id in the shadow stack is known yet: ScriptTable has the rest when a trace is written.
  static Frame of_function(uint32_t id) { return {{}, {}, id, kIsFunctionId}; }
  [[nodiscard]] bool has_function_id() const { return column == kIsFunctionId; }
  [[nodiscard]] uint32_t function_id() const { return line; }

  friend bool operator==(const Frame&, const Frame&) = default;

 private:
  static constexpr uint32_t kIsFunctionId = UINT32_MAX;  // no column: lines are not that long
};

// Frames, each kept once.
class FrameTable {
 public:
  // none() when there is no memory.
  FrameId intern(const Frame& frame) {
    return FrameId(interner_.intern(
        hash_of(frame), [&](uint32_t row) { return frames_[row] == frame; },
        [&] { return frames_.push(frame); }));
  }

  [[nodiscard]] const Frame& frame(FrameId id) const { return frames_[id.value()]; }
  [[nodiscard]] uint32_t size() const { return frames_.size(); }

 private:
  static uint32_t hash_of(const Frame& frame) {
    return mix(mix(mix(frame.name.value(), frame.resource.value()), frame.line), frame.column);
  }

  Column<Frame> frames_;
  Interner interner_;
};

}  // namespace polyprof
