#include "runtime/function_table.h"

#include <vector>

#include "test/fuzz/require.h"

using polyprof::FunctionTable;
using polyprof::Position;
using polyprof::Status;
using polyprof::StringTable;

namespace {

// The input is what stands between the key and the checksum: a fuzzer does not find those by itself.
std::vector<uint8_t> framed(const uint8_t* data, size_t size) {
  std::vector<uint8_t> bytes{'P', 'P', 'F', 'T', 2, 0, 0, 0, 0};
  bytes.insert(bytes.end(), data, data + size);
  uint32_t hash = 0x811C9DC5;
  for (const uint8_t byte : bytes) hash = (hash ^ byte) * 0x01000193;
  for (int shift = 0; shift < 32; shift += 8) bytes.push_back(static_cast<uint8_t>(hash >> shift));
  return bytes;
}

void check(const FunctionTable& table, const StringTable& names, Position position, size_t size) {
  const auto* function = table.find(position);
  if (function == nullptr) return;
  REQUIRE(function->start <= position && position < function->end);
  REQUIRE(function->start <= function->definition && function->definition <= function->end);
  REQUIRE(names.text(function->name).size() <= size);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto bytes = framed(data, size);
  StringTable names;
  FunctionTable table;
  const Status status = table.read(bytes, 0, names);
  REQUIRE(status == Status::kOk || status == Status::kBadTable);
  REQUIRE(status == Status::kOk || table.size() == 0);
  for (const uint32_t line : {0U, 1U, 2U, 3U, 10U, 128U, UINT32_MAX}) {
    for (const uint32_t column : {0U, 1U, 2U, 9U, 300U, UINT32_MAX})
      check(table, names, {line, column}, size);
  }

  // As it is, without a frame around it: refused long before the functions, nearly always.
  StringTable other_names;
  FunctionTable other;
  (void)other.read({data, size}, 0, other_names);
  return 0;
}
