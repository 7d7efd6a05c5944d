#include "runtime/function_table.h"

#include <catch2/catch.hpp>
#include <memory>
#include <tuple>

#include "test/runtime/random.h"
#include "test/runtime/table_bytes.h"

using polyprof::FunctionTable;
using polyprof::Position;
using polyprof::Status;
using polyprof::StringTable;
using polyprof::test::Bytes;
using polyprof::test::table_bytes;
using polyprof::test::TableRow;

namespace {

constexpr uint32_t kScriptId = 0xFEEDBEEF;

const Bytes& valid_table() {
  static const Bytes bytes = table_bytes(
      kScriptId, {"outer", "", "naïve", "last"},
      {{1, 5, 9, 2, 0}, {2, 3, 4, 4, 1, 7, 2, 8}, {2, 10, 2, 20, 2, 0}, {12, 300, 13, 1, 3, 1, 12, 310}});
  return bytes;
}

struct Table {
  StringTable names;
  FunctionTable functions;

  // The bytes are copied to a block of just their size, so that the sanitizer sees each read past the end.
  Status read(const Bytes& bytes, uint32_t script_id = kScriptId) {
    const auto exact = std::make_unique<uint8_t[]>(bytes.size());
    std::copy(bytes.begin(), bytes.end(), exact.get());
    return functions.read({exact.get(), bytes.size()}, script_id, names);
  }

  // "-": no function there.
  std::string name_at(uint32_t line, uint32_t column) const {
    const auto* function = functions.find({line, column});
    return function == nullptr ? "-" : std::string(names.text(function->name));
  }
};

}  // namespace

TEST_CASE("a table tells the innermost function at a position") {
  Table table;
  REQUIRE(table.read(valid_table()) == Status::kOk);
  CHECK(table.functions.size() == 4);
  CHECK(table.name_at(1, 4) == "-");
  CHECK(table.name_at(1, 5) == "outer");
  CHECK(table.name_at(2, 2) == "outer");
  CHECK(table.name_at(2, 7) == "outer");
  CHECK(table.name_at(2, 8) == "");
  CHECK(table.name_at(2, 10) == "naïve");
  CHECK(table.name_at(2, 19) == "naïve");
  CHECK(table.name_at(2, 20) == "");
  CHECK(table.name_at(4, 3) == "");
  CHECK(table.name_at(4, 4) == "outer");
  CHECK(table.name_at(9, 1) == "outer");
  CHECK(table.name_at(9, 2) == "-");
  CHECK(table.name_at(11, 1) == "-");
  CHECK(table.name_at(12, 309) == "-");
  CHECK(table.name_at(12, 310) == "last");
  CHECK(table.name_at(13, 1) == "-");
  CHECK(table.name_at(UINT32_MAX, UINT32_MAX) == "-");
}

TEST_CASE("a function has where it starts, its definition's position, its flags and the function around it") {
  Table table;
  REQUIRE(table.read(valid_table()) == Status::kOk);
  const auto* function = table.functions.find({3, 1});
  REQUIRE(function != nullptr);
  CHECK(function->start == Position{2, 3});
  CHECK(function->definition == Position{2, 8});
  CHECK(function->end == Position{4, 4});
  CHECK(function->has(FunctionTable::kHasProbes));
  CHECK(function->has(FunctionTable::kDelegates));
  CHECK(function->has(FunctionTable::kNameAtRunTime));
  CHECK(function->parent == 0);
  const auto* outer = table.functions.find({1, 5});
  REQUIRE(outer != nullptr);
  CHECK_FALSE(outer->has(FunctionTable::kDelegates));
  CHECK(outer->parent == FunctionTable::kNoFunction);
}

TEST_CASE("an empty table is one") {
  Table table;
  CHECK(table.read(table_bytes(kScriptId, {}, {})) == Status::kOk);
  CHECK(table.functions.size() == 0);
  CHECK(table.name_at(1, 1) == "-");
}

TEST_CASE("another script's table is refused, whatever is in it") {
  Table table;
  CHECK(table.read(valid_table(), kScriptId + 1) == Status::kTableMismatch);
  CHECK(table.functions.size() == 0);
}

TEST_CASE("reading anew forgets what was read before") {
  Table table;
  REQUIRE(table.read(valid_table()) == Status::kOk);
  REQUIRE(table.read(table_bytes(kScriptId, {"new"}, {{1, 1, 1, 9, 0}})) == Status::kOk);
  CHECK(table.functions.size() == 1);
  CHECK(table.name_at(1, 5) == "new");
  CHECK(table.read({}) == Status::kBadTable);
  CHECK(table.functions.size() == 0);
}

TEST_CASE("every shorter prefix of a table is refused") {
  const Bytes& whole = valid_table();
  for (size_t size = 0; size < whole.size(); ++size) {
    INFO("first " << size << " bytes of " << whole.size());
    const Bytes prefix(whole.begin(), whole.begin() + static_cast<ptrdiff_t>(size));
    Table table;
    CHECK(table.read(prefix) == Status::kBadTable);
    CHECK(table.functions.size() == 0);
  }
}

TEST_CASE("every prefix of a table with a checksum that fits is refused too, until all functions are in it") {
  const Bytes& whole = valid_table();
  for (size_t size = 4; size < whole.size(); ++size) {
    INFO("first " << size << " bytes of " << whole.size());
    const Bytes prefix(whole.begin(), whole.begin() + static_cast<ptrdiff_t>(size));
    Table table;
    CHECK(table.read(polyprof::test::with_checksum(prefix)) == Status::kBadTable);
    CHECK(table.functions.size() == 0);
  }
}

TEST_CASE("every single damaged byte is noticed by the checksum") {
  for (size_t at = 0; at < valid_table().size(); ++at) {
    for (uint32_t change = 1; change < 256; ++change) {
      Bytes damaged = valid_table();
      damaged[at] = static_cast<uint8_t>(damaged[at] ^ change);
      Table table;
      INFO("byte " << at << " is " << +damaged[at]);
      REQUIRE(table.read(damaged) == Status::kBadTable);
    }
  }
}

TEST_CASE("a damaged byte under a checksum that fits gives a table that can be asked, or none") {
  uint32_t accepted = 0;
  for (size_t at = 0; at + 4 < valid_table().size(); ++at) {
    for (uint32_t change = 1; change < 256; ++change) {
      Bytes damaged = valid_table();
      damaged[at] = static_cast<uint8_t>(damaged[at] ^ change);
      Table table;
      INFO("byte " << at << " is " << +damaged[at]);
      if (table.read(polyprof::test::with_checksum(damaged)) != Status::kOk) {
        REQUIRE(table.functions.size() == 0);
        continue;
      }
      ++accepted;
      for (uint32_t line = 0; line < 15; ++line) {
        for (const uint32_t column : {0u, 1u, 3u, 10u, 19u, 300u, UINT32_MAX})
          (void)table.name_at(line, column);
      }
    }
  }
  CHECK(accepted > 0);
}

TEST_CASE("counts and lengths far beyond the bytes that are there are refused at once") {
  Bytes head{'P', 'P', 'F', 'T', 2};
  polyprof::test::put_u32(head, kScriptId);
  const auto refused = [](Bytes bytes) {
    polyprof::test::put_checksum(bytes);
    Table table;
    return table.read(bytes) == Status::kBadTable;
  };
  Bytes names = head;
  polyprof::test::put_varint(names, UINT32_MAX);
  CHECK(refused(names));
  Bytes name = head;
  polyprof::test::put_varint(name, 1);
  polyprof::test::put_varint(name, UINT32_MAX);
  CHECK(refused(name));
  Bytes functions = head;
  polyprof::test::put_varint(functions, 0);
  polyprof::test::put_varint(functions, UINT32_MAX);
  CHECK(refused(functions));
}

TEST_CASE("names out of range, columns 0, positions beyond 32 bits and ranges that cross are refused") {
  const auto [what, rows] = GENERATE(table<std::string, std::vector<TableRow>>(
      {{"name", {{1, 1, 1, 2, 1}}},
       {"start column 0", {{2, 0, 3, 1, 0}}},
       {"definition column 0", {{1, 1, 3, 1, 0, 1, 2, 0}}},
       {"end column 0", {{1, 1, 2, 0, 0}}},
       {"line overflow", {{UINT32_MAX, 1, UINT32_MAX, 2, 0}, {UINT32_MAX - 1, 1, UINT32_MAX, 1, 0}}},
       {"column overflow", {{1, UINT32_MAX, 1, UINT32_MAX, 0}, {1, 2, 1, 3, 0}}},
       {"end before the inner one's", {{1, 1, 5, 1, 0}, {2, 1, 5, 2, 0}}},
       {"crossing the grandparent's end", {{1, 1, 5, 1, 0}, {2, 1, 3, 1, 0}, {4, 1, 6, 1, 0}}}}));
  INFO(what);
  Table table;
  CHECK(table.read(table_bytes(kScriptId, {"only"}, rows)) == Status::kBadTable);
  CHECK(table.functions.size() == 0);
}

namespace {

// Functions in functions, in the order of their starts. Returns where the text after them goes on.
void nest(polyprof::test::Random& random, std::vector<TableRow>& rows, uint32_t& line, uint32_t& column,
          int depth) {
  const auto advance = [&] {
    if (random.one_in(3)) {
      line += random.between(1, 200);
      column = random.between(1, 200);
    } else {
      column += random.between(1, 200);
    }
  };
  for (uint32_t i = random.below(4); i > 0; --i) {
    advance();
    const size_t row = rows.size();
    rows.push_back({line, column, 0, 0, random.below(3), random.below(32)});
    if (random.one_in(2)) {
      if (depth > 0) nest(random, rows, line, column, depth - 1);
      advance();
      rows[row].definition_line = line;
      rows[row].definition_column = column;
    }
    if (depth > 0) nest(random, rows, line, column, depth - 1);
    advance();
    rows[row].end_line = line;
    rows[row].end_column = column;
  }
}

Position definition_of(const TableRow& row) {
  if (row.definition_line == 0) return {row.line, row.column};
  return {row.definition_line, row.definition_column};
}

}  // namespace

TEST_CASE("in random tables each position belongs to the innermost range that a search of all finds") {
  EACH_SEED(random, 200) {
    INFO("seed " << seed_of_random);
    std::vector<TableRow> rows;
    uint32_t line = 1;
    uint32_t column = 1;
    nest(random, rows, line, column, 4);
    Table table;
    REQUIRE(table.read(table_bytes(kScriptId, {"a", "b", "c"}, rows)) == Status::kOk);
    REQUIRE(table.functions.size() == rows.size());
    for (int i = 0; i < 300; ++i) {
      Position position{random.between(1, line + 1), random.between(1, column + 200)};
      if (!rows.empty() && random.one_in(2)) {
        const TableRow& row = rows[random.below(static_cast<uint32_t>(rows.size()))];
        position = random.one_in(2) ? Position{row.line, row.column} : Position{row.end_line, row.end_column};
      }
      const bool is_start = random.one_in(2);
      const TableRow* innermost = nullptr;
      for (const TableRow& row : rows) {
        const Position first = is_start ? Position{row.line, row.column} : definition_of(row);
        if (first <= position && position < Position{row.end_line, row.end_column}) innermost = &row;
      }
      const auto* found = table.functions.find(position, is_start);
      REQUIRE((found == nullptr) == (innermost == nullptr));
      if (found == nullptr) continue;
      REQUIRE(found->start == Position{innermost->line, innermost->column});
      REQUIRE(found->definition == definition_of(*innermost));
      REQUIRE(found->flags == innermost->flags);
    }
  }
}
