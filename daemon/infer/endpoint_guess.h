// The two fields of a sample that are the vertices of an edge.
//
// Thread safety: a function.
#pragma once

#include <vector>

#include "daemon/infer/column_profile.h"
#include "daemon/infer/edge_guess.h"
#include "daemon/infer/sample_table.h"

namespace sash {

// Sets source, target, pair_reason, keys, sources and targets.
void GuessEndpoints(const SampleTable& table, const std::vector<ColumnProfile>& profiles,
                    EdgeGuess& guess);

}  // namespace sash
