// malloc and its kin for the module, over the rest of its memory.

#include "wasm/heap.h"

#include <cstddef>
#include <cstdint>

#ifdef __wasm__  // Hosts, for which clang-tidy reads this too, have a heap.

// The linker's.
extern "C" std::byte __heap_base;  // NOLINT(bugprone-reserved-identifier,readability-identifier-naming)

namespace {

constexpr size_t kPageBytes = 65536;

size_t grow(size_t bytes);

// Constant, since it must be set up once for all instances over a memory.
constinit polyprof::Heap g_heap(&__heap_base, grow);
constinit bool g_is_begun = false;

// At first there is what the linker left of the initial memory.
size_t grow(size_t bytes) {
  const size_t end = __builtin_wasm_memory_size(0) * kPageBytes;
  if (!g_is_begun) {
    g_is_begun = true;
    return end - reinterpret_cast<size_t>(&__heap_base);
  }
  const size_t pages = (bytes + kPageBytes - 1) / kPageBytes;
  return __builtin_wasm_memory_grow(0, pages) == SIZE_MAX ? 0 : pages * kPageBytes;
}

}  // namespace

extern "C" {

void* malloc(size_t bytes) { return g_heap.allocate(bytes); }

void free(void* address) { g_heap.release(address); }

// The default of the tool chain asks the page for an exit that it cannot have.
[[noreturn]] void abort() { __builtin_trap(); }

void* realloc(void* address, size_t bytes) { return g_heap.resize(address, bytes); }

}  // extern "C"

#endif
