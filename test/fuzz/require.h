#pragma once

// Ends the fuzzer, which then shows the place and keeps the input; assert() would be gone from optimised builds.
#define REQUIRE(rule)              \
  do {                             \
    if (!(rule)) __builtin_trap(); \
  } while (false)
