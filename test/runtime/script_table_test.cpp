#include "runtime/script_table.h"

#include <catch2/catch.hpp>

using polyprof::ResourceId;
using polyprof::ScriptRow;
using polyprof::ScriptTable;
using State = ScriptTable::State;

namespace {

// What is known of a position in it.
ScriptTable::Found found_in(const ScriptTable& scripts, ResourceId url) {
  return scripts.find(url, {1, 1}, false, "f", polyprof::StringTable());
}

}  // namespace

TEST_CASE("a script is known by address and id together") {
  ScriptTable scripts;
  const ScriptRow row = scripts.add(ResourceId(1), 7);
  CHECK(scripts.add(ResourceId(1), 7) == row);
  CHECK_FALSE(scripts.add(ResourceId(1), 8) == row);
  CHECK_FALSE(scripts.add(ResourceId(2), 7) == row);
  REQUIRE(scripts.find(row) != nullptr);
  CHECK(scripts.find(row)->url == ResourceId(1));
  CHECK(scripts.find(row)->id == 7);
  CHECK(scripts.find(row)->state == State::kPending);
}

TEST_CASE("a script that is loaded again has the table that it has, for other ids") {
  ScriptTable scripts;
  const ScriptRow row = scripts.add(ResourceId(1), 7, 100);
  CHECK(scripts.add(ResourceId(1), 7, 500) == row);
  const ScriptRow other = scripts.add(ResourceId(2), 7, 300);
  CHECK_FALSE(other == row);
  CHECK(scripts.find_function(99).script == nullptr);
  CHECK(scripts.find_function(100).script == scripts.find(row));
  CHECK(scripts.find_function(299).script == scripts.find(row));
  CHECK(scripts.find_function(300).script == scripts.find(other));
  CHECK(scripts.find_function(600).script == scripts.find(row));
}

TEST_CASE("scripts that are loaded too often are refused, and what is known by then stays") {
  ScriptTable scripts;
  for (uint32_t load = 1; load <= ScriptTable::kMaxScripts; ++load)
    REQUIRE_FALSE(scripts.add(ResourceId(1), 7, load * 10).is_none());
  CHECK(scripts.add(ResourceId(1), 7, 10'000'000).is_none());
  CHECK(scripts.find_function(21).script == scripts.find(ScriptRow(0)));
}

TEST_CASE("of thousands of scripts with one id each has its own address") {
  constexpr uint32_t kAddresses = 5000;
  ScriptTable scripts;
  for (uint32_t url = 0; url < kAddresses; ++url) {
    CHECK_FALSE(found_in(scripts, ResourceId(url)).has(State::kPending));
    const ScriptRow row = scripts.add(ResourceId(url), 7);
    REQUIRE(row == ScriptRow(url));
    CHECK(scripts.find(row)->url == ResourceId(url));
  }
  scripts.find(ScriptRow(1))->state = State::kFailed;
  for (uint32_t url = 0; url < kAddresses; ++url) {
    CHECK(scripts.add(ResourceId(url), 7) == ScriptRow(url));
    CHECK(found_in(scripts, ResourceId(url)).has(State::kFailed) == (url == 1));
  }
}

TEST_CASE("there is no script of an unknown number") {
  ScriptTable scripts;
  CHECK(scripts.find(ScriptRow(0)) == nullptr);
  CHECK(scripts.find(ScriptRow::none()) == nullptr);
}

TEST_CASE("a full table refuses new scripts and still knows the old ones") {
  ScriptTable scripts;
  for (uint32_t script_id = 0; script_id < ScriptTable::kMaxScripts; ++script_id)
    REQUIRE_FALSE(scripts.add(ResourceId(1), script_id).is_none());
  CHECK(scripts.add(ResourceId(1), ScriptTable::kMaxScripts).is_none());
  CHECK(scripts.add(ResourceId(1), 5) == ScriptRow(5));
}

TEST_CASE("of an address it is told what its scripts' tables are up to") {
  ScriptTable scripts;
  CHECK_FALSE(found_in(scripts, ResourceId(1)).has(State::kPending));
  const ScriptRow pending = scripts.add(ResourceId(1), 1);
  CHECK(found_in(scripts, ResourceId(1)).has(State::kPending));
  scripts.find(pending)->state = State::kFailed;
  scripts.find(scripts.add(ResourceId(1), 2))->state = State::kLoaded;
  const auto found = found_in(scripts, ResourceId(1));
  CHECK_FALSE(found.has(State::kPending));
  CHECK(found.has(State::kFailed));
  CHECK(found.has(State::kLoaded));
  CHECK(found.function == nullptr);
}
