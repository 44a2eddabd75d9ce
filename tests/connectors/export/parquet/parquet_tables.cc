// Writes random tables as Parquet files, and what they hold as JSON, for the test in which other
// programs read them: `parquet_tables FOLDER SEED`.
#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "connectors/export/parquet/parquet_file.h"

namespace sash::testing {
namespace {

using Json = nlohmann::json;

// Words of ten types, ascending as bytes, one of them empty and some beyond ASCII.
const std::vector<std::string_view> kTenWords = {
    "",          "a",    "logged-in", "paid",         "paid ",
    "paid\nout", "zeta", "\xC3\xBC",  "\xE2\x82\xAC", "\xF0\x9F\x99\x82"};

class RandomTable {
 public:
  RandomTable(std::uint64_t seed, std::size_t rows) : random_(seed), rows_(rows) {}

  // Writes NAME.parquet, and NAME.json: columns of values, doubles as the number of their bits.
  bool Write(const std::string& folder, const std::string& name) {
    const OwnedDescriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY));
    std::vector<ParquetColumn> columns;
    for (const ParquetType type : {ParquetType::kInteger, ParquetType::kMicros, ParquetType::kReal,
                                   ParquetType::kText, ParquetType::kWord, ParquetType::kTruth}) {
      for (const bool is_optional : {false, true}) {
        columns.push_back(
            {fmt::format("c{}", columns.size()), type, is_optional,
             type == ParquetType::kWord ? kTenWords : std::vector<std::string_view>()});
        styles_.push_back(random_() % 5);
      }
    }
    Result<ParquetFile> created =
        ParquetFile::Create(opened.number(), name + ".parquet", columns, {64, 64 * 5, 64 * 50},
                            [](std::uint64_t) { return true; });
    if (!created) return false;
    ParquetFile& file = created.value();
    std::vector<Json> values(columns.size(), Json::array());
    for (std::size_t row = 0; row < rows_; ++row) {
      for (std::size_t i = 0; i < columns.size(); ++i) {
        values[i].push_back(PutValue(columns[i], styles_[i], file.column(i)));
      }
      file.EndRow();
    }
    const Result<WrittenTable> written = file.Finish();
    if (!written) return false;
    std::ofstream(folder + "/" + name + ".json") << Json(values).dump();
    return written.value().rows == rows_;
  }

 private:
  Json PutValue(const ParquetColumn& column, std::uint64_t style, ColumnChunk& to) {
    // One column of nulls only, some with long runs of them.
    if (column.is_optional && (style == 0 || (style == 1 ? random_() % 9 : ++counter_ / 90) % 2)) {
      to.PutNull();
      return nullptr;
    }
    switch (column.type) {
      case ParquetType::kInteger:
        return PutInteger(Whole(style), to);
      case ParquetType::kMicros:
        return PutInteger(Whole(style) >> 12, to);  // within what calendars hold
      case ParquetType::kReal: {
        const double value = Real(style);
        to.PutReal(value);
        return std::bit_cast<std::uint64_t>(value);
      }
      case ParquetType::kText: {
        const std::string text = Text(style);
        to.PutText(text);
        return text;
      }
      case ParquetType::kTruth: {
        const bool value = random_() % (style + 2) == 0;
        to.PutTruth(value);
        return value;
      }
      case ParquetType::kWord:
        break;
    }
    const std::uint64_t place = random_() % (style < 2 ? 2 : kTenWords.size());
    to.PutWord(static_cast<std::uint32_t>(place));
    return kTenWords[place];
  }
  static Json PutInteger(std::int64_t value, ColumnChunk& to) {
    to.PutInteger(value);
    return value;
  }

  std::int64_t Whole(std::uint64_t style) {
    constexpr std::int64_t kEnds[] = {std::numeric_limits<std::int64_t>::min(),
                                      std::numeric_limits<std::int64_t>::max(), -1, 0, 1};
    if (style == 0) return kEnds[random_() % 5];
    if (style == 1) return ++counter_;
    if (style == 2) return static_cast<std::int64_t>(random_() % 7) - 3;
    return static_cast<std::int64_t>(random_()) >> (style == 3 ? 0 : random_() % 64);
  }
  double Real(std::uint64_t style) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    constexpr double kSpecial[] = {-0.0,
                                   0.0,
                                   kInfinity,
                                   -kInfinity,
                                   5e-324,
                                   1.7e308,
                                   std::numeric_limits<double>::quiet_NaN()};
    if (style == 0) return kSpecial[random_() % 7];
    if (style == 1) return 0.0 - static_cast<double>(random_() % 2);
    if (style == 2) return static_cast<double>(random_() % 100) / 8;
    return std::ldexp(static_cast<double>(random_()), -40);
  }
  std::string Text(std::uint64_t style) {
    std::string text;
    for (std::size_t i = random_() % (style == 0 ? 2 : 12); i > 0; --i) {
      text += kTenWords[random_() % kTenWords.size()];
    }
    if (style == 1) text.append(random_() % 3'000, 'x');
    if (style == 2) text.append(random_() % 20'000, 'y');  // pages end early
    return text;
  }

  std::mt19937_64 random_;
  const std::size_t rows_;
  std::vector<std::uint64_t> styles_;
  std::int64_t counter_ = 0;
};

}  // namespace

bool WriteRandomTables(const std::string& folder, std::uint64_t seed) {
  // No row, one, a page and its neighbours, several row groups.
  for (const std::size_t rows : {0, 1, 63, 64, 65, 320, 321, 1'500}) {
    if (!RandomTable(seed + rows, rows).Write(folder, fmt::format("table-{}-{}", seed, rows))) {
      return false;
    }
  }
  return true;
}

}  // namespace sash::testing

int main(int count, char** arguments) {
  if (count != 3) {
    std::cerr << "usage: parquet_tables FOLDER SEED\n";
    return 2;
  }
  return sash::testing::WriteRandomTables(arguments[1], std::strtoull(arguments[2], nullptr, 10))
             ? 0
             : 1;
}
