#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "runtime/column.h"
#include "runtime/frame_table.h"
#include "runtime/ids.h"
#include "runtime/stack_trie.h"
#include "runtime/status.h"
#include "runtime/string_table.h"

namespace polyprof {

// Any number of traces as one: each call path once, with the samples and the time that it has in all of them. Memory goes with the
// different paths. For tools, not for pages: a module of its own (wasm/fold_exports.cpp).
class TraceFold {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;
  using Paths = StackTrieOf<unsigned __int128, 32>;  // the memory is the limit

  struct FrameRow {
    uint32_t name;    // a text
    uint32_t file;    // a text, or kNone: built into the browser
    uint32_t line;    // 0: not known; else 1 more than what the trace says
    uint32_t column;  // likewise
  };
  struct StackRow {
    uint32_t parent;  // a stack, or kNone: the frame is outermost
    uint32_t frame;
  };

  // One trace, its rows referring to each other by number. Not kept.
  struct Trace {
    std::string_view texts;               // one after the other,
    std::span<const uint32_t> text_ends;  // in UTF-8: where each ends
    std::span<const FrameRow> frames;
    std::span<const StackRow> stacks;   // in any order
    std::span<const uint32_t> samples;  // by sample: a stack, or kNone: nothing ran
    std::span<const double> ms;         // by sample: how long it stands for
  };

  // How much of all traces a path has.
  struct Share {
    double ms = 0;
    double samples = 0;  // whole; more than 2^32 of them are no error
  };

  // All of the trace or, if it fails, nothing of it. kInvalidArgument: a row refers to one that is not there, or stacks to each other in a
  // circle.
  Status add(const Trace& trace);

  [[nodiscard]] const Paths& paths() const { return paths_; }
  [[nodiscard]] const FrameTable& frames() const { return frames_; }
  [[nodiscard]] const StringTable& strings() const { return strings_; }
  // By path: of the samples whose whole stack it is.
  [[nodiscard]] std::span<const Share> shares() const { return {shares_.data(), shares_.size()}; }
  [[nodiscard]] Share idle() const { return idle_; }

 private:
  Status intern_path(const Trace& trace, uint32_t stack);
  Status intern_frame(const Trace& trace, uint32_t frame);
  Status intern_text(const Trace& trace, uint32_t text);

  StringTable strings_;
  FrameTable frames_;
  Paths paths_;
  Column<Share> shares_;
  Share idle_;

  // Of the trace that is added: what its rows are here; none() as long as no sample needed them.
  Column<NameId> names_of_texts_;
  Column<FrameId> frames_of_rows_;
  Column<StackId> paths_of_stacks_;
  Column<uint32_t> pending_;  // stacks from a sample's outwards
};

}  // namespace polyprof
