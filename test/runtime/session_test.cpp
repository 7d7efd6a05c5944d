#include "runtime/session.h"

#include <catch2/catch.hpp>

using polyprof::Session;
using polyprof::StackId;

TEST_CASE("a range without a due tick is not taken") {
  Session session({10, false}, 5, 0);
  CHECK(session.take(1, 9, StackId(0)).ticks == 0);
  CHECK(session.take(10, 10, StackId(0)).ticks == 0);
  CHECK(session.take(20, 10, StackId(0)).ticks == 0);
  CHECK(session.buffer().samples().empty());
}

TEST_CASE("the whole schedule is one sample of a session with the base interval") {
  Session session({1, false}, UINT32_MAX, 0);
  const auto taken = session.take(0, INT32_MAX - 1, StackId(0));
  CHECK(taken.ticks == uint32_t{INT32_MAX} - 1);
  CHECK(taken.rejected == 0);
  CHECK(session.buffer().samples()[0].first_tick == 1);
}

TEST_CASE("a session tells how much of a range it took and how much did not fit") {
  Session session({2, false}, 3, 0);
  auto taken = session.take(0, 5, StackId(0));
  CHECK(taken.ticks == 2);
  CHECK(taken.rejected == 0);
  CHECK_FALSE(taken.became_full);
  taken = session.take(5, 12, StackId(0));
  CHECK(taken.ticks == 4);
  CHECK(taken.rejected == 3);
  CHECK(taken.became_full);
  CHECK(session.take(12, 20, StackId(0)).ticks == 0);
}
