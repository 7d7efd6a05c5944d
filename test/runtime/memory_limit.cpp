#include "test/runtime/memory_limit.h"

#include <cstddef>

namespace {

bool is_limited = false;
uint32_t growths_left = 0;
bool is_hit = false;

}  // namespace

extern "C" {

void* __real_realloc(void* address, size_t bytes);

void* __wrap_realloc(void* address, size_t bytes) {
  if (is_limited && growths_left == 0) {
    is_hit = true;
    return nullptr;
  }
  if (is_limited) --growths_left;
  return __real_realloc(address, bytes);
}

}  // extern "C"

namespace polyprof::test {

MemoryLimit::MemoryLimit(uint32_t growths) {
  is_limited = true;
  growths_left = growths;
  is_hit = false;
}

MemoryLimit::~MemoryLimit() { is_limited = false; }

bool MemoryLimit::was_hit() const { return is_hit; }

}  // namespace polyprof::test
