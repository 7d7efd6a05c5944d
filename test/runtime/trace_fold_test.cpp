#include "runtime/trace_fold.h"

#include <catch2/catch.hpp>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "test/runtime/memory_limit.h"
#include "test/runtime/random.h"

using polyprof::NameId;
using polyprof::StackId;
using polyprof::Status;
using polyprof::TraceFold;
using polyprof::test::MemoryLimit;
using polyprof::test::Random;

namespace {

constexpr uint32_t kNone = TraceFold::kNone;

// A trace with its rows in memory of its own.
struct Rows {
  std::string texts;
  std::vector<uint32_t> text_ends;
  std::vector<TraceFold::FrameRow> frames;
  std::vector<TraceFold::StackRow> stacks;
  std::vector<uint32_t> samples;
  std::vector<double> ms;

  uint32_t text(std::string_view text) {
    texts += text;
    text_ends.push_back(static_cast<uint32_t>(texts.size()));
    return static_cast<uint32_t>(text_ends.size() - 1);
  }

  [[nodiscard]] TraceFold::Trace trace() const { return {texts, text_ends, frames, stacks, samples, ms}; }
};

// By path, as text, outermost first; idle time at "".
using Shares = std::map<std::string, std::pair<double, double>>;

std::string frame_text(const std::string& name, const std::string& file, uint32_t line, uint32_t column) {
  return name + "@" + file + ":" + std::to_string(line) + ":" + std::to_string(column) + ";";
}

Shares shares_of(const TraceFold& fold) {
  Shares shares;
  const auto text = [&](NameId id) {
    return id.is_none() ? std::string() : std::string(fold.strings().text(id));
  };
  for (uint32_t i = 0; i < fold.shares().size(); ++i) {
    const TraceFold::Share share = fold.shares()[i];
    if (share.samples == 0) continue;
    std::string path;
    for (StackId id(i); !id.is_none(); id = fold.paths().parent(id)) {
      const polyprof::Frame& frame = fold.frames().frame(fold.paths().frame(id));
      path = frame_text(text(frame.name), text(frame.resource), frame.line, frame.column) + path;
    }
    REQUIRE(shares.emplace(path, std::pair(share.ms, share.samples)).second);
  }
  if (fold.idle().samples > 0) shares[""] = {fold.idle().ms, fold.idle().samples};
  return shares;
}

// Some functions, of which rows of several are the same one, and stacks in no order. Adds what it has to `expected`.
Rows random_trace(Random& random, Shares& expected) {
  Rows rows;
  std::vector<std::string> frame_texts;
  const uint32_t frames = random.between(1, 6);
  for (uint32_t i = 0; i < frames; ++i) {
    const std::string name(1, static_cast<char>('a' + random.below(3)));
    const std::string file = random.one_in(3) ? "" : "f" + std::to_string(random.below(2));
    const uint32_t line = random.below(2);
    const uint32_t file_text = file.empty() ? kNone : rows.text(file);
    rows.frames.push_back({rows.text(name), file_text, line, 7});
    frame_texts.push_back(frame_text(name, file, line, 7));
  }
  // Parents are earlier rows of a shuffled order.
  const uint32_t stacks = random.between(1, 12);
  std::vector<uint32_t> order(stacks);
  for (uint32_t i = 0; i < stacks; ++i) order[i] = i;
  for (uint32_t i = stacks; i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  rows.stacks.resize(stacks);
  std::vector<std::string> paths(stacks);
  for (uint32_t i = 0; i < stacks; ++i) {
    const uint32_t parent = random.one_in(4) || i == 0 ? kNone : order[random.below(i)];
    const uint32_t frame = random.below(frames);
    rows.stacks[order[i]] = {parent, frame};
    paths[order[i]] = (parent == kNone ? "" : paths[parent]) + frame_texts[frame];
  }
  for (uint32_t i = random.below(20); i > 0; --i) {
    const uint32_t stack = random.one_in(5) ? kNone : random.below(stacks);
    const double ms = random.below(100);
    rows.samples.push_back(stack);
    rows.ms.push_back(ms);
    auto& [sum, count] = expected[stack == kNone ? "" : paths[stack]];
    sum += ms;
    count += 1;
  }
  return rows;
}

}  // namespace

TEST_CASE("random traces have together the time and the samples that a map from paths to both gives them") {
  EACH_SEED(random, 200) {
    INFO("seed " << seed_of_random);
    TraceFold fold;
    Shares expected;
    for (uint32_t traces = random.below(6); traces > 0; --traces) {
      const Rows rows = random_trace(random, expected);
      REQUIRE(fold.add(rows.trace()) == Status::kOk);
    }
    REQUIRE(shares_of(fold) == expected);
  }
}

TEST_CASE("what no sample needs takes no place in a fold") {
  Rows rows;
  rows.frames = {{rows.text("used"), kNone, 0, 0}, {rows.text("not"), kNone, 0, 0}};
  rows.stacks = {{kNone, 0}, {0, 1}};
  rows.samples = {0, kNone};
  rows.ms = {10, 5};
  TraceFold fold;
  REQUIRE(fold.add(rows.trace()) == Status::kOk);
  CHECK(fold.paths().size() == 1);
  CHECK(fold.frames().size() == 1);
  CHECK(fold.idle().ms == 5);
}

TEST_CASE("a trace whose rows lead nowhere or in a circle is refused and adds nothing") {
  Rows good;
  good.frames = {{good.text("f"), kNone, 0, 0}};
  good.stacks = {{kNone, 0}, {0, 0}};
  good.samples = {1, 1};
  good.ms = {1, 1};
  const auto broken = GENERATE(range(0, 8));
  Rows rows = good;
  switch (broken) {
    case 0:
      rows.samples[1] = 2;
      break;
    case 1:
      rows.stacks[0].parent = 2;
      break;
    case 2:
      rows.stacks[0].parent = 1;
      break;
    case 3:
      rows.stacks[0].frame = 1;
      break;
    case 4:
      rows.frames[0].name = 1;
      break;
    case 5:
      rows.frames[0].file = 1;
      break;
    case 6:
      rows.text_ends[0] = 2;
      break;
    default:
      rows.ms.pop_back();
      break;
  }
  TraceFold fold;
  REQUIRE(fold.add(good.trace()) == Status::kOk);
  const Shares before = shares_of(fold);
  CHECK(fold.add(rows.trace()) == Status::kInvalidArgument);
  CHECK(shares_of(fold) == before);
  CHECK(fold.add(good.trace()) == Status::kOk);
  CHECK(shares_of(fold).begin()->second.second == 4);
}

TEST_CASE("wherever the memory ends, a trace is added as a whole or not at all") {
  Random random(1);
  Shares expected;
  std::vector<Rows> traces;
  for (int i = 0; i < 30; ++i) traces.push_back(random_trace(random, expected));
  bool was_hit = true;
  for (uint32_t growths = 0; was_hit; ++growths) {
    INFO("memory ends after " << growths << " growths");
    TraceFold fold;
    {
      const MemoryLimit limit(growths);
      std::vector<const Rows*> added;
      for (const Rows& rows : traces) {
        const Status status = fold.add(rows.trace());
        REQUIRE((status == Status::kOk || status == Status::kOutOfMemory));
        if (status == Status::kOk) added.push_back(&rows);
      }
      was_hit = limit.was_hit();
      const Shares shares = shares_of(fold);
      double samples = 0;
      for (const Rows* rows : added) samples += static_cast<double>(rows->samples.size());
      double counted = 0;
      for (const auto& [path, share] : shares) counted += share.second;
      REQUIRE(counted == samples);
      if (!was_hit) REQUIRE(shares == expected);
    }
  }
}
