#pragma once

#include <cstdint>

#include "runtime/column.h"
#include "runtime/ids.h"

namespace polyprof {

// What ran at a run of ticks.
struct Sample {
  int32_t first_tick;
  StackId stack;    // none: nothing ran
  uint32_t weight;  // how many of the session's ticks in a row; at least 1
};

// The samples of one session, bounded as the API's maxBufferSize says: by ticks, since each tick becomes a sample of the trace.
class SampleBuffer {
 public:
  explicit SampleBuffer(uint32_t max_ticks) : max_ticks_(max_ticks) {}

  enum class Pushed { kAll, kSome, kNoMemory };

  // Takes as much of the sample's weight as fits.
  Pushed push(Sample sample) {
    const uint32_t room = max_ticks_ - ticks_;
    const bool fits = sample.weight <= room;
    if (!fits) sample.weight = room;
    if (sample.weight > 0 && !samples_.push(sample)) return Pushed::kNoMemory;
    ticks_ += sample.weight;
    return fits ? Pushed::kAll : Pushed::kSome;
  }

  [[nodiscard]] bool is_full() const { return ticks_ == max_ticks_; }
  [[nodiscard]] uint32_t room() const { return max_ticks_ - ticks_; }
  [[nodiscard]] const Column<Sample>& samples() const { return samples_; }

  // Shell's: in order but for what waited for a function table, and a kilobyte less than std::sort.
  void sort_by_tick() {
    const uint32_t size = samples_.size();
    for (uint32_t gap = size / 2; gap > 0; gap /= 2) {
      for (uint32_t i = gap; i < size; ++i) {
        const Sample sample = samples_[i];
        uint32_t to = i;
        for (; to >= gap && samples_[to - gap].first_tick > sample.first_tick; to -= gap) {
          samples_[to] = samples_[to - gap];
        }
        samples_[to] = sample;
      }
    }
  }

 private:
  Column<Sample> samples_;  // mostly in order: a stack that waited for its function table comes late
  uint32_t max_ticks_;
  uint32_t ticks_ = 0;  // sum of the weights, never above max_ticks_
};

}  // namespace polyprof
