// The boundary between JavaScript and TraceFold: polyprof-fold.wasm, for tools. Called by report/traces/trace_fold.js alone; conventions as in
// exports.cpp.

#include <cstdint>
#include <cstdlib>
#include <new>
#include <string_view>

#include "runtime/trace_fold.h"

using polyprof::TraceFold;

// Made by the linker, see exports.cpp.
extern "C" void __wasm_call_ctors();  // NOLINT(bugprone-reserved-identifier,readability-identifier-naming)

namespace {

// The rows that JavaScript reads and writes.
static_assert(sizeof(TraceFold::FrameRow) == 16 && sizeof(TraceFold::StackRow) == 8 &&
              sizeof(TraceFold::Share) == 16);
static_assert(sizeof(polyprof::Frame) == 16);

}  // namespace

extern "C" {

// nullptr: there is no memory.
TraceFold* polyprof_fold_create() {
  __wasm_call_ctors();
  void* address = std::malloc(sizeof(TraceFold));
  return address == nullptr ? nullptr : new (address) TraceFold;
}

// For what add() is to read. Aligned to 8 bytes; nullptr: there is no memory.
void* polyprof_fold_allocate(uint32_t bytes) { return std::malloc(bytes); }

void polyprof_fold_release(void* address) { std::free(address); }

// A Status.
uint32_t polyprof_fold_add(TraceFold* fold, const char* texts, const uint32_t* text_ends, uint32_t text_count,
                           const TraceFold::FrameRow* frames, uint32_t frame_count,
                           const TraceFold::StackRow* stacks, uint32_t stack_count, const uint32_t* samples,
                           const double* ms, uint32_t sample_count) {
  const uint32_t bytes = text_count == 0 ? 0 : text_ends[text_count - 1];
  return static_cast<uint32_t>(fold->add({
      .texts = {texts, bytes},
      .text_ends = {text_ends, text_count},
      .frames = {frames, frame_count},
      .stacks = {stacks, stack_count},
      .samples = {samples, sample_count},
      .ms = {ms, sample_count},
  }));
}

uint32_t polyprof_fold_paths(const TraceFold* fold) { return static_cast<uint32_t>(fold->shares().size()); }

// By path: its caller's path or none. Both valid until the next add().
uint32_t polyprof_fold_parent(const TraceFold* fold, uint32_t path) {
  return fold->paths().parent(polyprof::StackId(path)).value();
}
uint32_t polyprof_fold_frame_of(const TraceFold* fold, uint32_t path) {
  return fold->paths().frame(polyprof::StackId(path)).value();
}

// Rows of Share, one by path.
const TraceFold::Share* polyprof_fold_shares(const TraceFold* fold) { return fold->shares().data(); }

uint32_t polyprof_fold_frames(const TraceFold* fold) { return fold->frames().size(); }

// The row of a frame: name, file, line and column as in FrameRow, its texts those of the fold.
const polyprof::Frame* polyprof_fold_frame(const TraceFold* fold, uint32_t frame) {
  return &fold->frames().frame(polyprof::FrameId(frame));
}

const char* polyprof_fold_text(const TraceFold* fold, uint32_t text) {
  return fold->strings().text(polyprof::NameId(text)).data();
}
uint32_t polyprof_fold_text_bytes(const TraceFold* fold, uint32_t text) {
  return static_cast<uint32_t>(fold->strings().text(polyprof::NameId(text)).size());
}

double polyprof_fold_idle_ms(const TraceFold* fold) { return fold->idle().ms; }
double polyprof_fold_idle_samples(const TraceFold* fold) { return fold->idle().samples; }

}  // extern "C"
