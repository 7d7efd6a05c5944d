#pragma once

#include <cstdint>

namespace polyprof {

// How far each sampling moment is moved away from its place on an even grid. Without this, work that repeats with the grid's period would be sampled
// at the same phase every time, and would seem to take all of the time or none. It is a pure function of the moment's number: every thread computes the same.
//
// Moments sweep slowly from half an interval before their place to half an interval behind it, and back, so all phases are met equally often. The sweep's period is
// not a whole number of moments, so that work with a longer period does not fall into step with it. Noise on top makes neighbours differ. Noise around a fixed place
// alone would leave phases that are never met, however large it is.
struct Jitter {
  uint32_t sweep;  // 2^-31 intervals from one moment to the next
  double noise;    // intervals to either side

  // In intervals: -0.5 - noise to 0.5 + noise. From one moment to the next it changes by at most sweep + 2 noise.
  [[nodiscard]] double of(uint32_t moment) const {
    const uint32_t phase = moment * sweep;
    const uint32_t swept = phase >> 31 == 0 ? phase : ~phase;
    return swept * kUnit - 0.5 + noise * kUnit * static_cast<int32_t>(hash_of(moment));
  }

 private:
  static constexpr double kUnit = 1.0 / (1u << 31);

  static uint32_t hash_of(uint32_t moment) {
    const uint32_t hash = moment * 0x9E3779B9u;
    return (hash ^ hash >> 15) * 0x85EBCA6Bu;
  }
};

}  // namespace polyprof
