#include "tests/bench/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <utility>

#include "windows/base/check.h"

namespace sash::bench {

void Report::PrintHeading() const {
  fmt::print(table_, "{:<41} {:>10} {:<11} {:>7}   {}\n", "name", "value", "unit", "spread",
             "ratio (least - greatest)");
  std::fflush(table_);
}

void Report::Add(std::string_view name, std::string_view unit, const Samples& values) {
  Keep({std::string(name), values.Median(), std::string(unit), values.Spread(), std::nullopt}, "");
}

void Report::Add(std::string_view name, std::string_view unit, const Samples& values,
                 const Samples& ratios, std::string_view against) {
  const double ratio = ratios.Median();
  Keep({std::string(name), values.Median(), std::string(unit), values.Spread(), ratio},
       fmt::format("{:.3f} ({:.3f} - {:.3f}) x {}", ratio, ratios.Least(), ratios.Greatest(),
                   against));
}

void Report::Keep(Row row, std::string_view ratio_text) {
  SASH_CHECK(std::ranges::find(rows_, row.name, &Row::name) == rows_.end());
  const std::string line = fmt::format("{:<41} {:>10.4g} {:<11} {:>6.1f}%   {}", row.name,
                                       row.value, row.unit, row.spread * 100, ratio_text);
  fmt::print(table_, "{}\n", std::string_view(line).substr(0, line.find_last_not_of(' ') + 1));
  std::fflush(table_);
  rows_.push_back(std::move(row));
}

void Report::Wrong(std::string_view name, std::string_view why) {
  ++wrong_;
  fmt::print(table_, "WRONG ANSWER {}: {}\n", name, why);
  std::fflush(table_);
}

void Report::Verify(std::string_view name, const std::optional<std::string>& difference) {
  if (difference) Wrong(name, *difference);
}

std::string ToJson(const std::vector<Row>& rows) {
  nlohmann::ordered_json array = nlohmann::ordered_json::array();
  for (const Row& row : rows) {
    nlohmann::ordered_json entry = {
        {"name", row.name}, {"value", row.value}, {"unit", row.unit}, {"spread", row.spread}};
    entry["ratio"] = nullptr;
    if (row.ratio) entry["ratio"] = *row.ratio;
    array.push_back(std::move(entry));
  }
  return array.dump(2) + "\n";
}

Status WriteJson(const std::vector<Row>& rows, const std::string& path) {
  std::ofstream file(path, std::ios::trunc);
  file << ToJson(rows);
  file.close();
  if (!file) return Error{ErrorCode::kUnavailable, fmt::format("write {}: it failed", path)};
  return Ok();
}

}  // namespace sash::bench
