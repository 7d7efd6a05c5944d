// The boundary between JavaScript and the core, and nothing else. Raw C functions, called by wasm/core.js alone.
//
// Conventions: addresses are byte offsets into the shared memory, owned by whoever allocated them. A function that can fail and
// has a result returns minus a Status on failure; one without a result returns the Status itself. Text is UTF-8 with a length,
// never zero-terminated, and is not kept. What an exported function means is versioned by polyprof_abi_version.

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <span>
#include <string_view>

#include "runtime/core.h"

using polyprof::Core;
using polyprof::Status;

namespace {

constexpr uint32_t kAbiVersion = 9;

constexpr int32_t failure(Status status) { return -static_cast<int32_t>(status); }

// Stacks are numbered from 1: the value of none(), which stands for idling, is the one before 0.
constexpr polyprof::StackId stack_of(uint32_t number) { return polyprof::StackId(number - 1); }

constexpr int32_t number_of(const Core::MappedStack& stack) {
  return stack.status == Status::kOk ? static_cast<int32_t>(stack.id.value() + 1) : failure(stack.status);
}

constexpr uint32_t code(Status status) { return static_cast<uint32_t>(status); }

// Takes the next bytes of a trace; they are valid during the call.
extern "C" __attribute__((import_module("env"), import_name("take"))) void take_piece(const void* data,
                                                                                      uint32_t bytes);

// Made by the linker: sets the heap up. Since the program calls it, the linker does not put such a call before every export, where
// it would set up the heap again and again, and in the worker while the page's thread uses it.
extern "C" void __wasm_call_ctors();  // NOLINT(bugprone-reserved-identifier,readability-identifier-naming)

// Once per memory: a page may have several cores in it, one after the other.
bool g_is_set_up = false;

}  // namespace

extern "C" {

uint32_t polyprof_abi_version() { return kAbiVersion; }

// 0 when there is no memory. Memory may grow: views of it are stale afterwards.
void* polyprof_allocate(uint32_t bytes) { return std::malloc(bytes); }

void polyprof_release(void* address) { std::free(address); }

// epoch_ms: time of tick 0, ms since the page's time origin. markers, jitter, doubles_async, marks_unknown, hides_quiet, has_starts: 1 or 0. 0 when
// there is no memory.
Core* polyprof_core_create(uint32_t markers, double epoch_ms, uint32_t jitter, uint32_t doubles_async,
                           uint32_t marks_unknown, uint32_t hides_quiet, uint32_t has_starts) {
  if (!g_is_set_up) __wasm_call_ctors();
  g_is_set_up = true;
  void* address = std::malloc(sizeof(Core));
  return address == nullptr ? nullptr
                            : new (address)
                                  Core(epoch_ms, jitter != 0, doubles_async != 0, marks_unknown != 0,
                                       hides_quiet != 0, has_starts != 0, markers != 0);
}

// No thread may be inside the core, or use it afterwards.
void polyprof_core_destroy(Core* core) {
  core->~Core();
  std::free(core);
}

// The session's id, or minus a Status.
int32_t polyprof_session_open(Core* core, double interval_ms, uint32_t max_samples, double now_ms) {
  const auto opened = core->open_session(interval_ms, max_samples, now_ms);
  return opened.status == Status::kOk ? static_cast<int32_t>(opened.id.value()) : failure(opened.status);
}

uint32_t polyprof_session_close(Core* core, uint32_t session, double now_ms) {
  return code(core->close_session(polyprof::SessionId(session), now_ms));
}

uint32_t polyprof_session_release(Core* core, uint32_t session) {
  return code(core->release_session(polyprof::SessionId(session)));
}

uint32_t polyprof_session_is_full(const Core* core, uint32_t session) {
  return core->is_full(polyprof::SessionId(session)) ? 1 : 0;
}

// 0: no session is open.
uint32_t polyprof_longest_wait_ticks(const Core* core) { return core->longest_wait_ticks(); }

int32_t polyprof_tick_at(const Core* core, double now_ms) { return core->tick_at(now_ms); }

// INT32_MAX: no session is open, or the schedule ends before.
int32_t polyprof_next_tick(const Core* core, int32_t tick) { return core->next_tick(tick); }

double polyprof_ms_until_next_tick(const Core* core, double now_ms) {
  return core->ms_until_next_tick(now_ms);
}

// INT32_MAX: never.
int32_t polyprof_fills_at_tick(const Core* core, int32_t tick) { return core->fills_at_tick(tick); }

// The script's row, or minus a Status. first_function_id: of its shadow probes; 0: it has none.
int32_t polyprof_script_register(Core* core, const char* text, uint32_t bytes, uint32_t script_id,
                                 uint32_t first_function_id) {
  const auto registered = core->register_script(std::string_view(text, bytes), script_id, first_function_id);
  return registered.status == Status::kOk ? static_cast<int32_t>(registered.row.value())
                                          : failure(registered.status);
}

// Hands the script's address to take_piece.
void polyprof_script_url(const Core* core, uint32_t row) {
  const std::string_view url = core->script_url(polyprof::ScriptRow(row));
  take_piece(url.data(), static_cast<uint32_t>(url.size()));
}

// nullptr: there is no table to be had.
uint32_t polyprof_table_load(Core* core, uint32_t row, const uint8_t* data, uint32_t bytes) {
  return code(core->load_table(polyprof::ScriptRow(row), std::span(data, bytes)));
}

// 0: idle; n: stack n - 1; negative: minus a Status. point: a ProbePoint.
int32_t polyprof_stack_of_text(Core* core, const char* text, uint32_t bytes, uint32_t point, uint32_t skip) {
  if (point > static_cast<uint32_t>(polyprof::ProbePoint::kResume)) return failure(Status::kInvalidArgument);
  return number_of(
      core->stack_of_text(std::string_view(text, bytes), static_cast<polyprof::ProbePoint>(point), skip));
}

// As polyprof_stack_of_text. The cells are those of the prelude (docs/hook.md), and any thread of the page may write to them.
int32_t polyprof_stack_of_shadow(Core* core, const std::atomic<uint32_t>* cells, uint32_t count) {
  return number_of(core->stack_of_shadow(polyprof::ShadowStack(std::span(cells, count))));
}

// stack: as polyprof_stack_of_text gave it. The number of sessions that became full.
uint32_t polyprof_record(Core* core, int32_t after, int32_t last, uint32_t stack) {
  return core->record(after, last, stack_of(stack));
}

// A sample now, of each open session. stack, and what is given back: as polyprof_record.
uint32_t polyprof_force_sample(Core* core, double now_ms, uint32_t stack) {
  return core->force_sample(now_ms, stack_of(stack));
}

// Hands the session's ProfilerTrace, JSON, to take_piece in pieces. A Status.
uint32_t polyprof_trace_encode(Core* core, uint32_t session) {
  const auto take = [](void*, std::span<const uint8_t> piece) {
    take_piece(piece.data(), static_cast<uint32_t>(piece.size()));
    return true;
  };
  return code(core->encode_trace(polyprof::SessionId(session), {nullptr, take}));
}

// The fields of Counters, one 32-bit word each, in their order.
const polyprof::Counters* polyprof_counters(const Core* core) { return &core->counters(); }

}  // extern "C"
