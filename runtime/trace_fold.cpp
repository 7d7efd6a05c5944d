#include "runtime/trace_fold.h"

namespace polyprof {

Status TraceFold::add(const Trace& trace) {
  names_of_texts_.truncate(0);
  frames_of_rows_.truncate(0);
  paths_of_stacks_.truncate(0);
  const auto rows = [](const auto& span) { return static_cast<uint32_t>(span.size()); };
  if (!names_of_texts_.resize(rows(trace.text_ends), NameId::none()) ||
      !frames_of_rows_.resize(rows(trace.frames), FrameId::none()) ||
      !paths_of_stacks_.resize(rows(trace.stacks), StackId::none())) {
    return Status::kOutOfMemory;
  }
  if (trace.ms.size() != trace.samples.size()) return Status::kInvalidArgument;
  for (const uint32_t stack : trace.samples) {
    if (stack == kNone) continue;
    if (const Status status = intern_path(trace, stack); status != Status::kOk) return status;
  }
  if (!shares_.resize(paths_.size(), Share{})) return Status::kOutOfMemory;
  // From here on nothing can fail.
  for (size_t i = 0; i < trace.samples.size(); ++i) {
    const uint32_t stack = trace.samples[i];
    Share& share = stack == kNone ? idle_ : shares_[paths_of_stacks_[stack].value()];
    share.ms += trace.ms[i];
    share.samples += 1;
  }
  return Status::kOk;
}

// Without recursion, since stacks are as deep as the page's were.
Status TraceFold::intern_path(const Trace& trace, uint32_t stack) {
  pending_.truncate(0);
  StackId path;
  for (uint32_t row = stack; row != kNone; row = trace.stacks[row].parent) {
    if (row >= trace.stacks.size() || pending_.size() == trace.stacks.size()) return Status::kInvalidArgument;
    path = paths_of_stacks_[row];
    if (!path.is_none()) break;
    if (!pending_.push(row)) return Status::kOutOfMemory;
  }
  for (uint32_t left = pending_.size(); left > 0; --left) {
    const uint32_t row = pending_[left - 1];
    const uint32_t frame = trace.stacks[row].frame;
    if (const Status status = intern_frame(trace, frame); status != Status::kOk) return status;
    path = paths_.intern(path, frames_of_rows_[frame]);
    if (path.is_none()) return Status::kOutOfMemory;
    paths_of_stacks_[row] = path;
  }
  return Status::kOk;
}

Status TraceFold::intern_frame(const Trace& trace, uint32_t frame) {
  if (frame >= trace.frames.size()) return Status::kInvalidArgument;
  if (!frames_of_rows_[frame].is_none()) return Status::kOk;
  const FrameRow& row = trace.frames[frame];
  if (const Status status = intern_text(trace, row.name); status != Status::kOk) return status;
  ResourceId file;
  if (row.file != kNone) {
    if (const Status status = intern_text(trace, row.file); status != Status::kOk) return status;
    file = names_of_texts_[row.file];
  }
  frames_of_rows_[frame] = frames_.intern({names_of_texts_[row.name], file, row.line, row.column});
  return frames_of_rows_[frame].is_none() ? Status::kOutOfMemory : Status::kOk;
}

Status TraceFold::intern_text(const Trace& trace, uint32_t text) {
  if (text >= trace.text_ends.size()) return Status::kInvalidArgument;
  if (!names_of_texts_[text].is_none()) return Status::kOk;
  const uint32_t begin = text == 0 ? 0 : trace.text_ends[text - 1];
  const uint32_t end = trace.text_ends[text];
  if (begin > end || end > trace.texts.size()) return Status::kInvalidArgument;
  names_of_texts_[text] = strings_.intern(trace.texts.substr(begin, end - begin));
  return names_of_texts_[text].is_none() ? Status::kOutOfMemory : Status::kOk;
}

}  // namespace polyprof
