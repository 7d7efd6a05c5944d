#pragma once

#include <cstdint>

namespace polyprof::test {

// While one exists, only so many further growths of the core's columns succeed. The core allocates by realloc alone where it can
// fail, and the linker puts a function between (CMakeLists.txt).
class MemoryLimit {
 public:
  explicit MemoryLimit(uint32_t growths);
  ~MemoryLimit();
  MemoryLimit(const MemoryLimit&) = delete;
  MemoryLimit& operator=(const MemoryLimit&) = delete;

  // Whether a growth was refused.
  [[nodiscard]] bool was_hit() const;
};

}  // namespace polyprof::test
