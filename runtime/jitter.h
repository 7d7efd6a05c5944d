#pragma once

#include <cstdint>

namespace polyprof {

// How far from their places on a grid moments are put, so that work with the grid's period is not met at one phase over and over: it
// would look like all of the time or like none. A pure function of the moment's number: every thread computes the same.
//
// A slow sweep from one moment's place halfway to the next and back meets all phases equally often; its period is no whole number of
// moments, lest a longer period fits it. Noise on top makes neighbours differ. Jitter around a fixed place alone, however large a
// part of the interval, would leave phases that are never met.
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
