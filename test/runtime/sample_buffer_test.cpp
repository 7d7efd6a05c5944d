#include "runtime/sample_buffer.h"

#include <catch2/catch.hpp>

using polyprof::SampleBuffer;
using polyprof::StackId;
using Pushed = SampleBuffer::Pushed;

TEST_CASE("samples are kept in order of arrival, with their weights") {
  SampleBuffer buffer(10);
  CHECK(buffer.push({4, StackId(1), 3}) == Pushed::kAll);
  CHECK(buffer.push({2, StackId::none(), 1}) == Pushed::kAll);
  REQUIRE(buffer.samples().size() == 2);
  CHECK(buffer.samples()[0].first_tick == 4);
  CHECK(buffer.samples()[0].stack == StackId(1));
  CHECK(buffer.samples()[0].weight == 3);
  CHECK(buffer.samples()[1].stack.is_none());
  CHECK(buffer.room() == 6);
  CHECK_FALSE(buffer.is_full());
}

TEST_CASE("a sample that fits exactly fills the buffer") {
  SampleBuffer buffer(3);
  CHECK(buffer.push({1, StackId(0), 3}) == Pushed::kAll);
  CHECK(buffer.is_full());
  CHECK(buffer.room() == 0);
}

TEST_CASE("of a sample that does not fit the buffer takes what does") {
  SampleBuffer buffer(5);
  CHECK(buffer.push({1, StackId(0), 2}) == Pushed::kAll);
  CHECK(buffer.push({3, StackId(1), 7}) == Pushed::kSome);
  REQUIRE(buffer.samples().size() == 2);
  CHECK(buffer.samples()[1].weight == 3);
  CHECK(buffer.is_full());
}

TEST_CASE("a full buffer takes nothing, also one that was made for no samples") {
  const uint32_t max_samples = GENERATE(0u, 1u);
  SampleBuffer buffer(max_samples);
  if (max_samples > 0) CHECK(buffer.push({1, StackId(0), 1}) == Pushed::kAll);
  CHECK(buffer.is_full());
  CHECK(buffer.push({2, StackId(0), UINT32_MAX}) == Pushed::kSome);
  CHECK(buffer.samples().size() == max_samples);
}

TEST_CASE("a buffer without a bound to speak of takes any weight") {
  SampleBuffer buffer(UINT32_MAX);
  CHECK(buffer.push({0, StackId(0), UINT32_MAX - 1}) == Pushed::kAll);
  CHECK(buffer.push({0, StackId(0), UINT32_MAX}) == Pushed::kSome);
  CHECK(buffer.is_full());
}
