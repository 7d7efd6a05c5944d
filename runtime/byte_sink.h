#pragma once

#include <cstdint>
#include <span>

#include "runtime/column.h"

namespace polyprof {

// Who takes bytes that are made piece by piece, so that all of them need not be in the core's memory at once.
struct ByteSink {
  void* context;
  // False: there is no room, and the rest is not wanted.
  bool (*take)(void* context, std::span<const uint8_t> piece);
};

// Appends to a column, which must outlive the sink.
inline ByteSink into(Column<uint8_t>& out) {
  return {&out, [](void* column, std::span<const uint8_t> piece) {
            return static_cast<Column<uint8_t>*>(column)->append(piece);
          }};
}

}  // namespace polyprof
