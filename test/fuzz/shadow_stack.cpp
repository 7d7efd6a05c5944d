// Any script of the page can write anything into the shadow stack's cells: reading and naming what is there ends within them.

#include "runtime/shadow_stack.h"

#include <cstring>
#include <vector>

#include "runtime/core.h"
#include "test/fuzz/require.h"

using polyprof::Column;
using polyprof::Core;
using polyprof::ShadowStack;
using polyprof::Status;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < sizeof(uint32_t)) return 0;
  std::vector<std::atomic<uint32_t>> cells(size / sizeof(uint32_t));
  for (size_t i = 0; i < cells.size(); ++i) {
    uint32_t value = 0;
    std::memcpy(&value, data + i * sizeof value, sizeof value);
    cells[i] = value;
  }
  Core core(0);
  const auto session = core.open_session(1, 4, 0);
  REQUIRE(session.status == Status::kOk);
  REQUIRE(core.register_script("@http://h/a.js:1:1", 1, 1).status == Status::kOk);
  for (int32_t tick = 0; tick < 3; ++tick) {
    const auto stack = core.stack_of_shadow(ShadowStack(cells));
    REQUIRE(stack.status == Status::kOk);
    core.record(tick, tick + 1, stack.id);
    cells[0] = cells[0] / 2;
  }
  Column<uint8_t> out;
  REQUIRE(core.encode_trace(session.id, into(out)) == Status::kOk);
  return 0;
}
