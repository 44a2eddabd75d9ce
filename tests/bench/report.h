// Report: the rows of one run of the benchmark, and whether its answers were right.
//
// Thread safety: belongs to one thread.
//
// Invariants
//   (1) A name appears once.
//   (2) A row is printed as soon as it is known, so that an interrupted run still shows its rows.
#pragma once

#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/bench/samples.h"
#include "windows/base/result.h"

namespace sash::bench {

inline constexpr double kMebibyte = 1 << 20;  // bytes, for rows in MiB

struct Row {
  std::string name;
  double value = 0;  // median of the repetitions
  std::string unit;
  double spread = 0;            // of the value: (greatest - least) / median
  std::optional<double> ratio;  // median of the repetitions' ratios
};

class Report {
 public:
  explicit Report(std::FILE* table) : table_(table) {}

  void PrintHeading() const;
  void Add(std::string_view name, std::string_view unit, const Samples& values);
  // `against` names the base of the ratios, for the table.
  void Add(std::string_view name, std::string_view unit, const Samples& values,
           const Samples& ratios, std::string_view against);

  // Notes that a measured answer is wrong: the run fails, whatever the times say.
  void Wrong(std::string_view name, std::string_view why);
  // Does nothing when `difference` is empty.
  void Verify(std::string_view name, const std::optional<std::string>& difference);

  const std::vector<Row>& rows() const { return rows_; }
  int wrong() const { return wrong_; }

 private:
  void Keep(Row row, std::string_view ratio_text);

  std::FILE* table_;
  std::vector<Row> rows_;
  int wrong_ = 0;
};

// An array of {"name", "value", "unit", "spread", "ratio"}; the ratio is null if there is none.
std::string ToJson(const std::vector<Row>& rows);
Status WriteJson(const std::vector<Row>& rows, const std::string& path);

}  // namespace sash::bench
