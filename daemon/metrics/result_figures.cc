#include "daemon/metrics/result_figures.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>
#include <variant>

#include "windows/jobs/kinds/kinds.h"
#include "windows/jobs/result_table.h"

namespace sash {
namespace {

struct AsNumber {
  std::optional<double> operator()(std::uint64_t value) const { return static_cast<double>(value); }
  std::optional<double> operator()(const std::optional<double>& value) const { return value; }
  std::optional<double> operator()(Weight value) const { return value.AsDouble(); }
  std::optional<double> operator()(const std::optional<EventTime>&) const { return std::nullopt; }
};

class Numbers {
 public:
  explicit Numbers(ResultFigures& to) : to_(to) {}

  void Add(std::string name, std::optional<double> value) {
    if (!value || !std::isfinite(*value)) return;
    if (std::ranges::find(to_.numbers, name, &ResultFigures::Number::name) != to_.numbers.end()) {
      return;
    }
    to_.numbers.push_back({std::move(name), *value});
  }

  void Add(const std::vector<ResultFigure>& figures) {
    for (const ResultFigure& figure : figures) {
      Add(std::string(figure.name), std::visit(AsNumber(), figure.value));
    }
  }

 private:
  ResultFigures& to_;
};

// The value that gives a row its rank, if the greatest comes first.
std::optional<double> GreatestOf(const RankedVertex& row) { return row.score; }
std::optional<double> GreatestOf(const RatedVertex& row) { return row.score; }
std::optional<double> GreatestOf(const CountedVertex& row) {
  return static_cast<double>(row.count);
}
std::optional<double> GreatestOf(const WeighedVertex& row) { return row.weight.AsDouble(); }
std::optional<double> GreatestOf(const auto& /*row*/) { return std::nullopt; }

std::optional<double> TopOf(const ResultList& list) {
  return std::visit(
      [](const auto* rows) { return rows->empty() ? std::nullopt : GreatestOf(rows->front()); },
      list.rows);
}

}  // namespace

ResultFigures FiguresOf(const RunResult& result) {
  const ResultTable table = DescribeResult(result);
  ResultFigures figures{
      .numbers = {}, .has_error = !table.error.empty(), .window_end = result.provenance.window_end};
  if (figures.has_error) return figures;
  Numbers numbers(figures);
  numbers.Add(table.figures);
  if (table.lists.size() == 1 && table.parts.empty()) {
    const ResultList& list = table.lists.front();
    numbers.Add(list.figures);
    numbers.Add("top_" + std::string(list.value), TopOf(list));
  }
  numbers.Add("edges", static_cast<double>(result.provenance.edges));
  numbers.Add("vertices", static_cast<double>(result.provenance.vertices));
  numbers.Add("iterations", result.iterations);
  numbers.Add("converged", result.converged ? 1 : 0);
  numbers.Add("drift", result.drift);
  return figures;
}

}  // namespace sash
