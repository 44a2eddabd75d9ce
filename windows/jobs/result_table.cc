#include "windows/jobs/result_table.h"

namespace sash {
namespace {

// The text for a window with nothing to list.
std::string InsteadOfRows(bool has_rows) { return has_rows ? "" : "no vertices"; }

// The figure of the whole window, if there is one.
template <typename Figure>
void AddFigure(const std::optional<Figure>& figure, ResultTable& table) {
  if (!figure) return;
  table.figures.push_back(
      {.name = figure->name, .value = figure->value, .said = ResultFigure::Said::kAfterName});
}

}  // namespace

ResultTable TableOf(const std::vector<RankedVertex>& top, std::uint64_t vertices) {
  return {.lists = {{.rows = &top, .available = vertices}}, .instead = InsteadOfRows(!top.empty())};
}

ResultTable TableOf(const ScoreOutput& output, std::uint64_t vertices) {
  ResultTable table = TableOf(output.top, output.scored.value_or(vertices));
  if (output.top.empty() && vertices > 0) table.instead = "no vertex has a value";
  AddFigure(output.figure, table);
  return table;
}

ResultTable TableOf(const CountOutput& output, std::uint64_t vertices) {
  ResultTable table{.lists = {{.rows = &output.top, .available = vertices}},
                    .instead = InsteadOfRows(!output.top.empty())};
  AddFigure(output.figure, table);
  return table;
}

ResultTable TableOf(const GroupsOutput& output) {
  return {.figures = {{.name = output.many,
                       .value = output.groups,
                       .said = ResultFigure::Said::kBeforeName,
                       .one = output.one}},
          .lists = {{.one = output.one,
                     .value = "size",
                     .rows = &output.top,
                     .available = output.groups,
                     .is_of_sets = true}},
          .instead = InsteadOfRows(!output.top.empty())};
}

}  // namespace sash
