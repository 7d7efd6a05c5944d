// Runs operations on the core, one a line from standard input, and prints one line of outcome for each: what the module gives when
// the same operations go through wasm/core.js (test/wasm/native.test.js). Numbers are decimal, texts hexadecimal.

#include <bit>
#include <cinttypes>
#include <cstdio>
#include <iostream>
#include <optional>
#include <sstream>
#include <string>

#include "runtime/core.h"

using polyprof::Column;
using polyprof::Core;
using polyprof::ScriptRow;
using polyprof::SessionId;
using polyprof::StackId;
using polyprof::Status;

namespace {

std::string from_hex(const std::string& digits) {
  std::string bytes;
  for (size_t i = 0; i + 1 < digits.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(digits.substr(i, 2), nullptr, 16));
  }
  return bytes;
}

template <class T>
T take(std::istream& line) {
  T value{};
  line >> value;
  return value;
}

std::string take_text(std::istream& line) { return from_hex(take<std::string>(line)); }

int64_t outcome(Status status) { return -static_cast<int64_t>(status); }

int64_t outcome(Status status, uint32_t number) {
  return status == Status::kOk ? int64_t{number} : outcome(status);
}

void print_encoded(Core& core, SessionId session) {
  Column<uint8_t> out;
  const Status status = core.encode_trace(session, into(out));
  if (status == Status::kOk) {
    std::cout.write(reinterpret_cast<const char*>(out.data()), out.size()) << '\n';
  } else {
    std::cout << outcome(status) << '\n';
  }
}

void print_counters(const Core& core) {
  const auto& c = core.counters();
  for (const uint32_t counter : {c.filled_ticks, c.truncated_stacks, c.unparsed_frames, c.rejected_samples,
                                 c.bad_tables, c.mismatched_tables, c.missing_tables, c.fallback_frames,
                                 c.lost_to_memory, c.torn_stacks, c.garbled_stacks}) {
    std::cout << counter << ' ';
  }
  std::cout << '\n';
}

// False: there is no such operation.
bool run(Core& core, const std::string& operation, std::istream& line) {
  if (operation == "open") {
    const auto interval_ms = take<double>(line);
    const auto max_samples = take<uint32_t>(line);
    const auto [status, id] = core.open_session(interval_ms, max_samples, take<double>(line));
    std::cout << outcome(status, id.value()) << '\n';
  } else if (operation == "close") {
    const SessionId session(take<uint32_t>(line));
    std::cout << outcome(core.close_session(session, take<double>(line))) << '\n';
  } else if (operation == "release") {
    std::cout << outcome(core.release_session(SessionId(take<uint32_t>(line)))) << '\n';
  } else if (operation == "register") {
    const auto script_id = take<uint32_t>(line);
    const auto [status, row] = core.register_script(take_text(line), script_id);
    std::cout << outcome(status, row.value()) << '\n';
  } else if (operation == "load") {
    const ScriptRow script(take<uint32_t>(line));
    const std::string bytes = take_text(line);
    std::cout << outcome(
                     core.load_table(script, {reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()}))
              << '\n';
  } else if (operation == "fail") {
    std::cout << outcome(core.fail_table(ScriptRow(take<uint32_t>(line)))) << '\n';
  } else if (operation == "stack") {
    const auto point = static_cast<polyprof::ProbePoint>(take<uint32_t>(line));
    const auto skip = take<uint32_t>(line);
    const auto [status, id] = core.stack_of_text(take_text(line), point, skip);
    std::cout << outcome(status, id.value() + 1) << '\n';
  } else if (operation == "record") {
    const auto after = take<int32_t>(line);
    const auto last = take<int32_t>(line);
    const auto stack = take<uint32_t>(line);
    std::cout << core.record(after, last, stack == 0 ? StackId::none() : StackId(stack - 1)) << '\n';
  } else if (operation == "schedule") {
    const auto now_ms = take<double>(line);
    const int32_t tick = core.tick_at(now_ms);
    const uint64_t wait_bits = std::bit_cast<uint64_t>(core.ms_until_next_tick(now_ms));
    std::cout << core.longest_wait_ticks() << ' ' << core.next_tick(tick) << ' ' << tick << ' ' << wait_bits
              << ' ' << core.fills_at_tick(tick) << '\n';
  } else if (operation == "encode") {
    print_encoded(core, SessionId(take<uint32_t>(line)));
  } else if (operation == "counters") {
    print_counters(core);
  } else {
    return false;
  }
  return true;
}

}  // namespace

int main() {
  std::optional<Core> core;
  for (std::string text; std::getline(std::cin, text);) {
    std::istringstream line(text);
    const auto operation = take<std::string>(line);
    if (operation == "epoch") {
      const auto epoch_ms = take<double>(line);
      core.emplace(epoch_ms, take<uint32_t>(line) != 0);
    } else if (!core || !run(*core, operation, line)) {
      std::cerr << "replay: cannot do: " << text << '\n';
      return 2;
    }
  }
  return 0;
}
