// ResultTable: what a result says, in one form for all kernels: figures, and lists of rows. JSON,
// diffs, terminal lines, answers about a vertex, neighbourhoods and the account of memory are each
// written for this form alone. Describe() of a kind makes it; DescribeResult() (kinds/kinds.h) does
// so for any result.
//
// Thread safety: a value. It points into the result, which must outlive it.
//
// Invariants
//   (1) It holds no row of its own: rows are read where the result has them, by index.
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
  // How a line for a terminal says it: not at all, "degeneracy 2", or "5 reached".
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
  using Rows = std::variant<const std::vector<RankedVertex>*, const std::vector<ReachedVertex>*,
                            const std::vector<DistantVertex>*, const std::vector<CountedVertex>*,
                            const std::vector<PairOfVertices>*>;

  std::string_view name = "top";     // its member in JSON
  std::string_view one = "vertex";   // what a row is about
  std::string_view value = "score";  // what its value is called
  Rows rows;
  // How many rows the whole vector gives, in the order of `rows`.
  std::uint64_t available = 0;
  // The whole vector has values. If not, `error` of the table says why.
  bool has_values = true;
  bool is_of_sets = false;  // the whole vector says whose key the set of a vertex goes by

  // A traversal: its root, unless it has several; its figures, the vertices at each depth, and what
  // was searched.
  const VertexKey* root = nullptr;
  std::vector<ResultFigure> figures{};
  const std::vector<std::uint64_t>* levels = nullptr;
  const BfsParameters* search = nullptr;
  std::size_t traversal = 0;  // its place in WholeVector::depths

  std::size_t size() const {
    return std::visit([](const auto* list) { return list->size(); }, rows);
  }
  bool is_of_pairs() const {
    return std::holds_alternative<const std::vector<PairOfVertices>*>(rows);
  }
};

struct ResultTable {
  std::vector<ResultFigure> figures{};
  std::vector<ResultList> lists{};
  // The member of JSON that has the lists, as one object each; empty: there is one list, and its
  // members are the result's own.
  std::string_view parts{};
  bool has_edges = false;  // what is written with all vertices is the edges of the window
  std::string error{};     // why there is no answer, or not the whole one; empty: there is
  // A line for a terminal says this instead of figures and rows; empty: it says these.
  std::string instead{};
  std::size_t other_bytes = 0;  // that the result keeps beside its rows
};

// The tables of outputs that kernels share. `vertices`: as many as the window has.
ResultTable TableOf(const std::vector<RankedVertex>& top, std::uint64_t vertices);
ResultTable TableOf(const ScoreOutput& output, std::uint64_t vertices);
ResultTable TableOf(const CountOutput& output, std::uint64_t vertices);
ResultTable TableOf(const GroupsOutput& output);

}  // namespace sash
