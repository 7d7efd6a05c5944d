#include "runtime/script_table.h"

#include <catch2/catch.hpp>

using polyprof::ResourceId;
using polyprof::ScriptId;
using polyprof::ScriptTable;

TEST_CASE("a script is known by address and key together") {
  ScriptTable scripts;
  const ScriptId id = scripts.add(ResourceId(1), 7);
  CHECK(scripts.add(ResourceId(1), 7) == id);
  CHECK_FALSE(scripts.add(ResourceId(1), 8) == id);
  CHECK_FALSE(scripts.add(ResourceId(2), 7) == id);
  REQUIRE(scripts.find(id) != nullptr);
  CHECK(scripts.find(id)->url == ResourceId(1));
  CHECK(scripts.find(id)->key == 7);
  CHECK(scripts.find(id)->state == ScriptTable::State::kPending);
}

TEST_CASE("there is no script of an unknown number") {
  ScriptTable scripts;
  CHECK(scripts.find(ScriptId(0)) == nullptr);
  CHECK(scripts.find(ScriptId::none()) == nullptr);
}

TEST_CASE("a full table refuses new scripts and still knows the old ones") {
  ScriptTable scripts;
  for (uint32_t key = 0; key < ScriptTable::kMaxScripts; ++key)
    REQUIRE_FALSE(scripts.add(ResourceId(1), key).is_none());
  CHECK(scripts.add(ResourceId(1), ScriptTable::kMaxScripts).is_none());
  CHECK(scripts.add(ResourceId(1), 5) == ScriptId(5));
}

TEST_CASE("of an address it is told what its scripts' tables are up to") {
  ScriptTable scripts;
  CHECK_FALSE(scripts.find(ResourceId(1), {1, 1}).is_pending);
  const ScriptId pending = scripts.add(ResourceId(1), 1);
  CHECK(scripts.find(ResourceId(1), {1, 1}).is_pending);
  scripts.find(pending)->state = ScriptTable::State::kFailed;
  scripts.find(scripts.add(ResourceId(1), 2))->state = ScriptTable::State::kLoaded;
  const auto found = scripts.find(ResourceId(1), {1, 1});
  CHECK_FALSE(found.is_pending);
  CHECK(found.has_failed);
  CHECK(found.is_known);
  CHECK(found.function == nullptr);
}
