#pragma once

#include <cstdint>

namespace polyprof {

// How a call went. The numbers cross the boundary to JavaScript (wasm/status.js): append, never renumber.
//
// clang-format 14 takes the attribute for code.
// clang-format off
enum class [[nodiscard]] Status : uint32_t {
  kOk = 0,
  kOutOfMemory = 1,
  kInvalidArgument = 2,
  kTooManySessions = 3,
  kUnknownSession = 4,
  kUnknownScript = 5,
  kPendingTable = 6,   // a frame's function table is still on its way: ask again later
  kBadTable = 7,       // the bytes are no function table
  kTableMismatch = 8,  // the function table is another script's
  kBusy = 9,           // another thread kept the core for too long
};
// clang-format on

}  // namespace polyprof
