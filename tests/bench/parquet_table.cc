// Writes a table of edges as Parquet and times it, for tests/bench/parquet_speed.py:
// `sash_parquet_table FOLDER EDGES WEIGHTS`. The edges are R-MAT, in the order of an export.
// Weights are `amounts` (doubles with two decimals) or `counts` (integers up to 100).
#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "connectors/export/parquet/parquet_file.h"

namespace sash::bench {
namespace {

struct TableRow {
  std::uint32_t source = 0;
  std::uint32_t target = 0;
  double weight = 0;
};

std::vector<TableRow> DrawRows(std::size_t count) {
  constexpr int kScale = 20;
  std::mt19937_64 random(1);
  std::vector<TableRow> rows(count);
  for (TableRow& row : rows) {
    for (int bit = 0; bit < kScale; ++bit) {
      const std::uint64_t draw = random() % 100;  // the quadrants have 57, 19, 19 and 5 of 100
      row.source = row.source << 1 | (draw >= 76 ? 1 : 0);
      row.target = row.target << 1 | ((draw >= 57 && draw < 76) || draw >= 95 ? 1 : 0);
    }
    row.weight = static_cast<double>(random() % 1'000'000) / 100;
  }
  std::ranges::sort(
      rows, {}, [](const TableRow& row) { return std::uint64_t{row.source} << 32 | row.target; });
  return rows;
}

int MeasureTable(const std::string& folder, std::size_t count, bool are_amounts) {
  const std::vector<TableRow> rows = DrawRows(count);
  const OwnedDescriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY));
  const auto begun = std::chrono::steady_clock::now();
  Result<ParquetFile> created =
      ParquetFile::Create(opened.number(), "edges.parquet",
                          {{"source"},
                           {"target"},
                           {"weight", are_amounts ? ParquetType::kReal : ParquetType::kInteger}},
                          {}, [](std::uint64_t) { return true; });
  if (!created) {
    fmt::print(stderr, "{}\n", created.error().message);
    return 1;
  }
  ParquetFile& file = created.value();
  for (const TableRow& row : rows) {
    file.column(0).PutInteger(row.source);
    file.column(1).PutInteger(row.target);
    if (are_amounts) {
      file.column(2).PutReal(row.weight);
    } else {
      file.column(2).PutInteger(static_cast<std::int64_t>(row.weight / 100));
    }
    file.EndRow();
  }
  const Result<WrittenTable> written = file.Finish();
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begun;
  if (!written) {
    fmt::print(stderr, "{}\n", written.error().message);
    return 1;
  }
  fmt::print("{{\"seconds\": {}, \"bytes\": {}}}\n", seconds.count(), written.value().bytes);
  return 0;
}

}  // namespace
}  // namespace sash::bench

int main(int count, char** arguments) {
  if (count != 4) {
    fmt::print(stderr, "usage: sash_parquet_table FOLDER EDGES amounts|counts\n");
    return 2;
  }
  return sash::bench::MeasureTable(arguments[1], std::strtoull(arguments[2], nullptr, 10),
                                   std::string(arguments[3]) == "amounts");
}
