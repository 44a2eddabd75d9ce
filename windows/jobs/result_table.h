// ResultTable: the content of a result, in one form for all kernels: figures, and lists of rows.
// JSON, diffs, terminal lines, answers about a vertex, neighbourhoods and the memory account are
// each written for this form alone. Describe() of a kind makes it; DescribeResult() (kinds/kinds.h)
// makes it for any result.
//
// Thread safety: a value. It points into the result, which must outlive it.
//
// Invariants
//   (1) It has no rows of its own: rows are read from the result, by index.
//   (2) A number is finite, or `error` says how many are not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "windows/base/weight.h"
#include "windows/jobs/run_result.h"

namespace sash {

struct ResultFigure {
  // How a line for a terminal shows it: not at all, "degeneracy 2", or "5 reached".
  enum class Said : std::uint8_t { kNot, kAfterName, kBeforeName };
  using Value =
      std::variant<std::uint64_t, std::optional<double>, Weight, std::optional<EventTime>>;

  std::string_view name;  // its member in JSON
  Value value;            // none: null
  Said said = Said::kNot;
  std::string_view one{};  // the name when the value is 1; empty: the same
  bool is_of_run = false;  // JSON has it beside the number of iterations
};

struct ResultList {
  using Rows = std::variant<const std::vector<RankedVertex>*, const std::vector<RatedVertex>*,
                            const std::vector<ReachedVertex>*, const std::vector<DistantVertex>*,
                            const std::vector<CountedVertex>*, const std::vector<WeighedVertex>*,
                            const std::vector<PairOfVertices>*, const std::vector<CycleOfVertices>*,
                            const std::vector<PathOfVertices>*, const std::vector<FeaturesOfPair>*>;

  std::string_view name = "top";     // its member in JSON
  std::string_view one = "vertex";   // what a row is about
  std::string_view value = "score";  // the name of its value
  std::string_view other{};          // the name of its other score, if it has two
  Rows rows;
  // The number of rows that the whole vector gives, in the order of `rows`.
  std::uint64_t available = 0;
  // Whether the whole vector has values. If not, `error` of the table says why.
  bool has_values = true;
  bool is_of_sets = false;    // the whole vector has the vertex whose key names the set
  int longest_cycle = 0;      // rows of features count cycles of 2 to this number of edges
  bool tells_edges = false;   // rows of pairs have the number, weight and types of their edges
  bool tells_scores = false;  // rows of pairs have a score, or null

  // For a traversal: its root, unless it has several; its figures; the number of vertices at each
  // depth; the parameters of the search.
  const VertexKey* root = nullptr;
  std::vector<ResultFigure> figures{};
  const std::vector<std::uint64_t>* levels = nullptr;
  const BfsParameters* search = nullptr;
  std::size_t traversal = 0;  // its place in WholeVector::depths

  // How each row compares with the baseline; null: the job has no baseline.
  const std::vector<ComparedRow>* compared = nullptr;

  std::size_t size() const {
    return std::visit([](const auto* list) { return list->size(); }, rows);
  }
  bool is_of_vertices() const {
    return std::visit([]<typename Row>(const std::vector<Row>*) { return kIsOfVertex<Row>; }, rows);
  }
};

struct ResultTable {
  std::vector<ResultFigure> figures{};
  std::vector<ResultList> lists{};
  // The JSON member that has the lists, as one object each. Empty: there is one list, and its
  // members are members of the result.
  std::string_view parts{};
  bool has_edges = false;  // a result with all vertices lists the edges of the window
  std::string error{};     // why the answer is missing or partial; empty: it is complete
  // A line for a terminal shows this instead of figures and rows; empty: it shows those.
  std::string instead{};
  std::size_t other_bytes = 0;  // memory of the result beside its rows
};

// The tables of outputs that several kernels share. `vertices`: the number in the window.
ResultTable TableOf(const std::vector<RankedVertex>& top, std::uint64_t vertices);
ResultTable TableOf(const ScoreOutput& output, std::uint64_t vertices);
ResultTable TableOf(const CountOutput& output, std::uint64_t vertices);
ResultTable TableOf(const GroupsOutput& output);

}  // namespace sash
