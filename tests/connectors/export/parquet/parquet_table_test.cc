#include "connectors/export/parquet/parquet_table.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <limits>
#include <random>
#include <utility>

#include "connectors/export/parquet/packed_numbers.h"
#include "connectors/export/parquet/page_header.h"
#include "connectors/export/parquet/thrift_reader.h"
#include "connectors/export/parquet/unpacked_numbers.h"
#include "tests/connectors/export/shared_folder.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/seed_range.h"
#include "windows/base/checksum.h"

namespace sash {
namespace {

using ::testing::HasSubstr;

using Integers = std::vector<std::int64_t>;

testing::SeedRange SeedsOf(std::uint64_t count) {
  return testing::SeedsFromEnvironment({1, count});
}

TEST(UnpackedNumbersTest, DeltasAreReadAsTheyWereWritten) {
  for (std::uint64_t seed = SeedsOf(20).first; seed < SeedsOf(20).end(); ++seed) {
    std::mt19937_64 random(seed);
    Integers numbers(random() % 700);
    const unsigned shift = static_cast<unsigned>(random() % 64);
    for (std::int64_t& each : numbers) each = static_cast<std::int64_t>(random() >> shift);
    if (!numbers.empty()) numbers.back() = std::numeric_limits<std::int64_t>::min();
    std::string bytes;
    AppendDeltas(numbers, bytes);
    Integers read;
    ASSERT_TRUE(ReadDeltas(bytes, numbers.size(), read)) << "seed " << seed;
    EXPECT_EQ(read, numbers) << "seed " << seed;
    EXPECT_FALSE(ReadDeltas(bytes, numbers.size() + 1, read));
  }
}

TEST(UnpackedNumbersTest, RunsAreReadAsTheyWereWritten) {
  for (std::uint64_t seed = SeedsOf(20).first; seed < SeedsOf(20).end(); ++seed) {
    std::mt19937 random(static_cast<std::uint32_t>(seed));
    const unsigned width = 1 + random() % 32;
    std::vector<std::uint32_t> numbers(random() % 500);
    for (std::uint32_t& each : numbers) {
      each = random() % 3 == 0 ? static_cast<std::uint32_t>(random() >> (32 - width)) : 0;
    }
    std::string bytes;
    AppendRuns(numbers, width, bytes);
    std::vector<std::uint32_t> read;
    ASSERT_TRUE(ReadRuns(bytes, width, numbers.size(), read)) << "seed " << seed;
    EXPECT_EQ(read, numbers) << "seed " << seed;
    EXPECT_FALSE(ReadRuns(bytes, width, numbers.size() + 9, read));
  }
}

TEST(UnpackedNumbersTest, DeltasWithANumberBeyond64BitsAreRefused) {
  Integers numbers(20, 7);
  std::string bytes;
  AppendDeltas(numbers, bytes);
  Integers read;
  ASSERT_TRUE(ReadDeltas(bytes, numbers.size(), read));
  // The size of a block has two bytes.
  EXPECT_FALSE(ReadDeltas(std::string(10, '\x80') + bytes.substr(2), numbers.size(), read));
}

TEST(UnpackedNumbersTest, ARunOfANumberThatHasMoreBitsIsRefused) {
  std::vector<std::uint32_t> read;
  EXPECT_TRUE(ReadRuns({"\x08\x07", 2}, 3, 4, read));
  EXPECT_FALSE(ReadRuns({"\x08\x08", 2}, 3, 4, read));
  EXPECT_FALSE(ReadRuns({"\x08\x02", 2}, 1, 4, read)) << "a level of a column is 0 or 1";
}

TEST(ColumnCursorTest, APageThatStatesTooManyRowsIsRefused) {
  constexpr std::uint64_t kRows = 1 << 21;
  // A run of rows without a value.
  const std::string body{"\x05\0\0\0\x80\x80\x80\x02\0", 9};
  const PageHeader header{
      .values = kRows, .raw_bytes = body.size(), .bytes = body.size(), .checksum = Crc32(body)};
  const std::string page = header.Text() + body;
  const OutlinedColumn column{.name = "c", .is_optional = true};
  ColumnCursor cursor(column, {.bytes = page.size(), .rows = kRows}, page);
  EXPECT_FALSE(cursor.Next());
  EXPECT_THAT(cursor.failure().value().message, HasSubstr("than a page may have"));
}

// A table of all types of columns, with rows of which some have no value.
struct Rows {
  Integers integers{};
  std::vector<double> reals{};
  std::vector<std::string> texts{};
  std::vector<std::size_t> words{};  // places in kWords
  std::vector<bool> truths{};
  std::vector<bool> present{};  // whether the optional columns have a value
};

constexpr std::array<std::string_view, 3> kWords = {"", "a", "\xC3\xA4"};

Rows RandomRows(std::mt19937_64& random, std::size_t size) {
  Rows rows;
  const std::uint64_t few = random() % 2 == 0 ? 7 : std::numeric_limits<std::uint64_t>::max();
  for (std::size_t i = 0; i < size; ++i) {
    rows.integers.push_back(static_cast<std::int64_t>(random() % few));
    rows.reals.push_back(static_cast<double>(random() % few) / 3);
    rows.texts.push_back(std::string(random() % 5 == 0 ? 0 : random() % 40, 'k'));
    rows.words.push_back(random() % kWords.size());
    rows.truths.push_back(random() % 2 == 0);
    rows.present.push_back(random() % 4 != 0);
  }
  return rows;
}

class ParquetTableTest : public ::testing::Test {
 protected:
  WrittenTable Write(const Rows& rows, const ParquetSizes& sizes) {
    const std::vector<std::string_view> words(kWords.begin(), kWords.end());
    Result<ParquetFile> file =
        ParquetFile::Create(folder_.number(), "t.parquet",
                            {{"integer", ParquetType::kInteger, false},
                             {"moment", ParquetType::kMicros, true},
                             {"real", ParquetType::kReal, false},
                             {"text", ParquetType::kText, true},
                             {"word", ParquetType::kWord, false, words},
                             {"truth", ParquetType::kTruth, false}},
                            sizes, [](std::uint64_t) { return true; });
    EXPECT_TRUE(file.ok());
    for (std::size_t i = 0; i < rows.integers.size(); ++i) {
      file.value().column(0).PutInteger(rows.integers[i]);
      if (rows.present[i]) {
        file.value().column(1).PutInteger(rows.integers[i]);
        file.value().column(3).PutText(rows.texts[i]);
      } else {
        file.value().column(1).PutNull();
        file.value().column(3).PutNull();
      }
      file.value().column(2).PutReal(rows.reals[i]);
      file.value().column(4).PutWord(static_cast<std::uint32_t>(rows.words[i]));
      file.value().column(5).PutTruth(rows.truths[i]);
      file.value().EndRow();
    }
    Result<WrittenTable> written = file.value().Finish();
    EXPECT_TRUE(written.ok());
    return std::move(written).value();
  }

  // Reads every value. The first error; empty: there was none.
  std::string ReadAll(const WrittenTable& written, Rows& rows) const {
    const Result<ParquetTable> table = ParquetTable::Open(folder_.number(), written);
    if (!table) return table.error().message;
    std::vector<std::size_t> places;
    for (const auto& [name, type] : {std::pair{"integer", ParquetType::kInteger},
                                     {"moment", ParquetType::kInteger},
                                     {"real", ParquetType::kReal},
                                     {"text", ParquetType::kText},
                                     {"word", ParquetType::kText},
                                     {"truth", ParquetType::kTruth}}) {
      const std::optional<std::size_t> place = table.value().Find(name, type);
      if (!place) return std::string("no column ") + name;
      places.push_back(*place);
    }
    for (std::size_t group = 0; group < table.value().outline().groups.size(); ++group) {
      Result<ParquetTable::Columns> columns = table.value().ReadGroup(group, places);
      if (!columns) return columns.error().message;
      const std::uint64_t size = table.value().outline().groups[group].rows;
      for (std::uint64_t row = 0; row < size; ++row) {
        for (const auto& column : columns.value()) {
          if (column->Next()) continue;
          return column->failure() ? column->failure()->message : "it ended early";
        }
        Take(columns.value(), rows);
      }
      for (const auto& column : columns.value()) {
        if (column->Next()) return "it goes on";
      }
    }
    return "";
  }

  static void Take(const ParquetTable::Columns& columns, Rows& rows) {
    rows.integers.push_back(columns[0]->number());
    rows.present.push_back(!columns[1]->is_null());
    if (!columns[1]->is_null()) {
      EXPECT_EQ(columns[1]->number(), rows.integers.back());
    }
    rows.reals.push_back(columns[2]->real());
    EXPECT_EQ(columns[3]->is_null(), columns[1]->is_null());
    rows.texts.emplace_back(columns[3]->is_null() ? "" : columns[3]->text());
    const auto word = std::ranges::find(kWords, columns[4]->text());
    rows.words.push_back(static_cast<std::size_t>(word - kWords.begin()));
    rows.truths.push_back(columns[5]->number() != 0);
  }

  std::string Path() const { return scratch_.File("t.parquet"); }

  const testing::SharedFolder scratch_;
  const OwnedDescriptor folder_{
      ::open(scratch_.File("").c_str(), O_RDONLY | O_DIRECTORY)};
};

TEST_F(ParquetTableTest, RandomTablesAreReadAsTheyWereWritten) {
  for (std::uint64_t seed = SeedsOf(15).first; seed < SeedsOf(15).end(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    Rows rows = RandomRows(random, seed % 5 == 0 ? 0 : random() % 3000);
    const WrittenTable written = Write(rows, {.page = 64, .group = 640, .part = 6400});
    Rows read;
    ASSERT_EQ(ReadAll(written, read), "");
    for (std::size_t i = 0; i < rows.texts.size(); ++i) {
      if (!rows.present[i]) rows.texts[i].clear();
    }
    EXPECT_EQ(read.integers, rows.integers);
    EXPECT_EQ(read.reals, rows.reals);
    EXPECT_EQ(read.texts, rows.texts);
    EXPECT_EQ(read.words, rows.words);
    EXPECT_EQ(read.truths, rows.truths);
    EXPECT_EQ(read.present, rows.present);
    std::remove(Path().c_str());
  }
}

TEST_F(ParquetTableTest, AFileThatIsNotTheWrittenOneIsNotRead) {
  std::mt19937_64 random(1);
  const WrittenTable written = Write(RandomRows(random, 500), {.page = 64, .group = 640});
  const std::string bytes = testing::Contents(Path());
  Rows read;
  testing::Write(Path(), bytes.substr(0, bytes.size() - 1));
  EXPECT_THAT(ReadAll(written, read), HasSubstr("bytes, and its manifest states"));
  std::string changed = bytes;
  changed[changed.size() / 2] ^= 1;
  testing::Write(Path(), changed);
  EXPECT_THAT(ReadAll(written, read), HasSubstr("its CRC-32C is"));
  std::remove(Path().c_str());
  EXPECT_THAT(ReadAll(written, read), HasSubstr("open t.parquet: No such file"));
}

// As if a manifest had been written for the damaged bytes.
TEST_F(ParquetTableTest, DamagedBytesAreAnErrorOrOtherValues) {
  std::mt19937_64 random(SeedsOf(1).first);
  WrittenTable written = Write(RandomRows(random, 700), {.page = 64, .group = 640});
  const std::string bytes = testing::Contents(Path());
  std::size_t errors = 0;
  constexpr int kTries = 2000;
  for (int i = 0; i < kTries; ++i) {
    std::string changed = bytes;
    for (std::uint64_t times = 1 + random() % 3; times > 0; --times) {
      changed[random() % changed.size()] = static_cast<char>(random());
    }
    if (i % 4 == 0) changed.resize(random() % changed.size());
    testing::Write(Path(), changed);
    written.bytes = changed.size();
    written.checksum = Crc32c(changed);
    Rows read;
    if (!ReadAll(written, read).empty()) ++errors;
  }
  // Statistics are not read, and a byte may be as it was.
  EXPECT_GT(errors, kTries / 2);
}

TEST(ThriftReaderTest, NoBytesMakeItReadBeyondTheirEnd) {
  std::mt19937_64 random(SeedsOf(1).first);
  for (int i = 0; i < 20'000; ++i) {
    std::string bytes(random() % 40, '\0');
    for (char& each : bytes) each = static_cast<char>(random());
    const std::string exact = bytes;
    (void)ThriftReader(exact).Struct();
  }
  EXPECT_FALSE(ThriftReader("").Struct());
  EXPECT_FALSE(ThriftReader(std::string(100, '\x1C')).Struct()) << "nested without end";
}

}  // namespace
}  // namespace sash
