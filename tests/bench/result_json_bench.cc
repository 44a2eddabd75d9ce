// The JSON of a result with every vertex (`vertices: all`), compared with a loop that only appends
// the same keys and numbers to a string in the same order, which it is given.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "connectors/sinks/result_json.h"
#include "tests/bench/benchmarks.h"
#include "tests/bench/stopwatch.h"
#include "tests/connectors/sinks/finished_runs.h"

namespace sash::bench {
namespace {

// The ranks of a window of the first edges of the stream; a key is "v" and the vertex' number.
class RankedWindow {
 public:
  RankedWindow(const Bench& bench, std::size_t edges) {
    std::vector<testing::NamedEdge> named;
    for (std::size_t i = 0; i < edges; ++i) {
      named.push_back(
          {Key(bench.edges.sources[i]), Key(bench.edges.targets[i]), Weight::Integer(1)});
    }
    const AdvancePtr advance = runs_.MakeAdvance(named, testing::At(testing::kNewYear2026));
    PageRankParameters parameters;
    parameters.max_iterations = 5;
    run_ = runs_.Run(testing::FinishedRuns::Job("ranks", parameters), advance);
  }

  std::size_t vertices() const { return run_.result->provenance.vertices; }
  std::string Json() const {
    return ResultJson(run_, {.vertices = VerticesWritten::kAll}, runs_.keys());
  }

  // The least that has to be written: keys and numbers.
  std::string KeysAndNumbers(const std::vector<VertexId>& order) const {
    std::string text;
    for (const VertexId id : order) {
      text.append(runs_.keys().TextOf(id));
      char number[32];
      const auto [end, error] =
          std::to_chars(number, number + sizeof number, run_.whole->scores[id]);
      text.append(number, end);
    }
    return text;
  }
  // By rank, as the rows are.
  std::vector<VertexId> Order() const {
    std::vector<VertexId> order;
    for (std::size_t id = 0; id < run_.whole->scores.size(); ++id) {
      if (run_.whole->scores[id] > 0) order.push_back(static_cast<VertexId>(id));
    }
    const std::vector<double>& scores = run_.whole->scores;
    std::ranges::sort(order, std::greater(), [&](VertexId id) { return scores[id]; });
    return order;
  }

 private:
  static VertexKey Key(VertexId vertex) { return VertexKey(fmt::format("v{}", vertex)); }

  testing::FinishedRuns runs_;
  CompletedRun run_;
};

std::optional<std::string> WrongJson(std::string_view json, std::size_t vertices) {
  std::size_t rows = 0;
  constexpr std::string_view kRow = "{\"vertex\":";
  for (std::size_t at = json.find(kRow); at != json.npos; at = json.find(kRow, at + 1)) ++rows;
  if (rows == vertices) return std::nullopt;
  return fmt::format("it has {} rows, the window {} vertices", rows, vertices);
}

}  // namespace

void RunResultJson(const Bench& bench) {
  const RankedWindow window(bench, bench.options.edges / 4);
  const std::vector<VertexId> order = window.Order();
  const double per_vertex = 1e9 / static_cast<double>(window.vertices());
  Samples json;
  Samples least;
  std::string text;
  for (int i = 0; i < bench.options.repetitions; ++i) {
    json.Add(per_vertex * Time([&] { text = window.Json(); }));
    std::string bare;
    least.Add(per_vertex * Time([&] { bare = window.KeysAndNumbers(order); }));
  }
  bench.report.Verify("result_json_ns", WrongJson(text, window.vertices()));
  bench.report.Add("result_json_ns", "ns a vertex", json, Ratios(json, least),
                   "only keys and numbers");
}

}  // namespace sash::bench
