// EdgeGuess: which fields of a sample are source, target, time, weight and operation.
//
// Thread safety: a function. The guess refers to the profiles by their place.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "daemon/infer/column_profile.h"
#include "daemon/infer/sample_table.h"
#include "windows/ingest/edge_event.h"

namespace sash {

// A field that may be one thing, with the reasons for and against it.
struct RoleCandidate {
  std::size_t field = 0;
  double score = 0;
  std::string reasons{};
};

struct EdgeGuess {
  // Set together: the pair with the best score, if it is good enough.
  std::optional<std::size_t> source{};
  std::optional<std::size_t> target{};
  std::string pair_reason{};
  KeyKind keys = KeyKind::kString;
  std::string source_prefix{};  // set where the two are numbers of different things
  std::string target_prefix{};

  std::optional<std::size_t> time{};
  std::optional<std::size_t> time_of_day{};  // joined to `time`, which is then only a date
  std::optional<TimeGuess> time_guess{};
  std::optional<std::size_t> weight{};  // not set here: the first of `weights` that can be read
  std::string weight_keys{};            // how it is written: `decimal: ","`; empty: as usual
  std::optional<std::size_t> operation{};

  // All that were considered, the best first.
  std::vector<RoleCandidate> sources{};
  std::vector<RoleCandidate> targets{};
  std::vector<RoleCandidate> times{};
  std::vector<RoleCandidate> weights{};
  std::vector<std::string> remarks{};  // sentences about what could not be proposed
};

EdgeGuess GuessEdge(const SampleTable& table, const std::vector<ColumnProfile>& profiles);

}  // namespace sash
