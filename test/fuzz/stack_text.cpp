#include "runtime/stack_text.h"

#include "runtime/core.h"
#include "test/fuzz/require.h"

using polyprof::Core;
using polyprof::ProbePoint;
using polyprof::StackText;
using polyprof::Status;
using polyprof::TextFrame;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto is_within = [&](std::string_view part) {
    return part.empty() ||
           (part.data() >= text.data() && part.data() + part.size() <= text.data() + text.size());
  };
  StackText frames(text);
  size_t count = 0;
  for (TextFrame frame{}; frames.next(frame); ++count) {
    REQUIRE(count < size);
    REQUIRE(is_within(frame.name) && is_within(frame.url) && is_within(polyprof::clean_name(frame.name)));
    if (frame.kind != TextFrame::Kind::kScript) continue;
    REQUIRE(!frame.url.empty() && frame.position.line > 0 && frame.position.column > 0);
  }

  // All the way into a trace: the scripts of the text are known, their tables are missing.
  Core core(0);
  const auto script = core.register_script(text, 1);
  if (script.status == Status::kOk) (void)core.fail_table(script.row);
  const auto session = core.open_session(1, 10, 0);
  const ProbePoint points[] = {ProbePoint::kEnter, ProbePoint::kLeave, ProbePoint::kResume};
  for (int32_t tick = 0; tick < 3; ++tick) {
    const auto stack = core.stack_of_text(text, points[tick], static_cast<uint32_t>(tick));
    REQUIRE(stack.status == Status::kOk);
    (void)core.record(tick, tick + 1, stack.id);
  }
  polyprof::Column<uint8_t> out;
  REQUIRE(core.encode_trace(session.id, into(out)) == Status::kOk);
  return 0;
}
