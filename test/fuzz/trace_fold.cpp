// Rows of a trace may refer to anything: folding them ends within what is there, and what is refused adds nothing.

#include "runtime/trace_fold.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "test/fuzz/require.h"

using polyprof::Status;
using polyprof::TraceFold;

namespace {

// The next rows of the input; a byte says how many there are.
template <class Row>
std::vector<Row> take(const uint8_t*& data, size_t& size) {
  if (size == 0) return {};
  std::vector<Row> rows(std::min<size_t>(*data++, --size / sizeof(Row)));
  const size_t bytes = rows.size() * sizeof(Row);
  if (bytes > 0) std::memcpy(rows.data(), data, bytes);
  data += bytes;
  size -= bytes;
  return rows;
}

double samples_in(const TraceFold& fold) {
  double samples = fold.idle().samples;
  for (const TraceFold::Share& share : fold.shares()) samples += share.samples;
  return samples;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  TraceFold fold;
  double samples = 0;
  while (size > 0) {
    const auto texts = take<char>(data, size);
    const auto text_ends = take<uint32_t>(data, size);
    const auto frames = take<TraceFold::FrameRow>(data, size);
    const auto stacks = take<TraceFold::StackRow>(data, size);
    const auto rows = take<uint32_t>(data, size);
    const std::vector<double> ms(rows.size(), 1);
    const Status status = fold.add({{texts.data(), texts.size()}, text_ends, frames, stacks, rows, ms});
    REQUIRE(status == Status::kOk || status == Status::kInvalidArgument);
    if (status == Status::kOk) samples += static_cast<double>(rows.size());
    REQUIRE(samples_in(fold) == samples);
  }
  return 0;
}
