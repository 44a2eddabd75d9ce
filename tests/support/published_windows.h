// What the windows of an engine publish while it reads a script in batches.
#pragma once

#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "tests/support/edge_a_second.h"
#include "tests/support/engine_harness.h"
#include "tests/support/script_writer.h"

namespace sash::testing {

struct Published {
  std::int64_t start = 0;
  std::int64_t end = 0;
  bool gap = false;
  std::vector<ListedEdge> edges;
};
using Batches = std::vector<std::vector<ScriptRecord>>;

inline Batches Cut(const Script& script, std::mt19937_64& random) {
  Batches batches;
  for (const ScriptRecord& record : Interleave(script, random)) {
    if (batches.empty() || (record.place == 0 && random() % 12 == 0)) batches.emplace_back();
    batches.back().push_back(record);
  }
  return batches;
}

// Keeps the published windows that are not empty in `into`, by their names. `into` outlives the
// harness.
inline void KeepPublished(EngineHarness& harness,
                          std::map<std::string, std::vector<Published>>& into) {
  harness.on_advance = [&](const AdvancePtr& advance) {
    const Provenance& about = advance->provenance;
    if (about.edges == 0) return;
    into[about.window].push_back({about.window_start.time_since_epoch().count(),
                                  about.window_end.time_since_epoch().count(), about.gap,
                                  ListOut(advance->view, harness.keys)});
  };
}

// What a window published, also when it was empty: "end: edges" with the end in seconds, and " gap"
// if there is one.
inline std::vector<std::string> SeenOf(const EngineHarness& harness, const std::string& window) {
  std::vector<std::string> seen;
  for (const AdvancePtr& advance : harness.advances) {
    const Provenance& about = advance->provenance;
    if (about.window != window) continue;
    seen.push_back(std::to_string(about.window_end.time_since_epoch().count() / kSecond) + ": " +
                   std::to_string(about.edges) + (about.gap ? " gap" : ""));
  }
  return seen;
}

}  // namespace sash::testing
