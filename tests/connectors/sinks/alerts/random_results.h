// Results of a job on random windows, and what they list.
//
// Thread safety: belongs to the test's thread.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <variant>
#include <vector>

#include "tests/connectors/sinks/finished_runs.h"

namespace sash::testing {

// What the list of one result said of each vertex.
struct Listed {
  std::uint64_t rank = 0;
  std::uint64_t count = 0;
  bool operator==(const Listed&) const = default;
};
using List = std::map<std::string, Listed>;

List ListOf(const RunResult& result) {
  List list;
  for (const CountedVertex& row : std::get<CountOutput>(result.output).top) {
    list[std::get<std::string>(row.key)] = {row.rank, row.count};
  }
  return list;
}

// Results of a job that lists the vertices with the greatest degrees, on random windows.
class RandomResults {
 public:
  explicit RandomResults(std::mt19937_64& random) : random_(random) {}

  CompletedRun Next() {
    std::vector<NamedEdge> edges;
    const auto count = random_() % 9;
    for (std::uint64_t i = 0; i < count; ++i) {
      edges.push_back({Key(), Key(), Weight::Integer(1)});
    }
    // Sometimes an advance was skipped.
    end_ += static_cast<std::int64_t>(10 * (1 + random_() % 2));
    const auto advance = runs_.MakeAdvance(edges, At(end_));
    CompletedRun run = runs_.Run(FinishedRuns::Job("degrees", DegreeParameters(), 4), advance);
    run.before = before_;
    before_ = run.result;
    return run;
  }

 private:
  std::string Key() { return std::string(1, static_cast<char>('a' + random_() % 6)); }

  std::mt19937_64& random_;
  FinishedRuns runs_;
  std::int64_t end_ = 0;
  std::shared_ptr<const RunResult> before_;
};

}  // namespace sash::testing
