// A test that compares random store scripts with the model. The first failing script is shrunk and
// printed.
#pragma once

#include <cstdint>

#include "tests/support/script_run.h"
#include "windows/store/window_policy.h"

namespace sash::testing {

// Runs `scripts` scripts from seed 1 on, or the seeds given by SASH_SCRIPTS and SASH_FIRST_SEED.
// Reports through GoogleTest. A failing script is shrunk unless SASH_SHRINK is 0.
void ExpectRandomScriptsAgree(const StoreSpec& spec, std::uint64_t scripts,
                              const StoreMaker& make_store = MakeSliceStore);

}  // namespace sash::testing
