// A guess as the YAML of a whole configuration, without comments.
//
// Thread safety: pure functions.
#pragma once

#include <string>

#include "daemon/infer/edge_guess.h"
#include "daemon/infer/sample_origin.h"
#include "daemon/infer/sample_shape.h"
#include "daemon/infer/window_plan.h"

namespace sash {

// Where the guess has no source or target, the words SOURCE and TARGET are in their place.
// `refuses_many`: a large share of the records is not edges, and the replay must not fail for that.
std::string DraftConfig(const SampleOrigin& origin, const SampleShape& shape,
                        const EdgeGuess& guess, const std::vector<std::string>& nulls,
                        const WindowPlan& plan, bool refuses_many);

}  // namespace sash
