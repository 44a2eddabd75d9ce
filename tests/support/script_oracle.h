// Random store scripts against the model, as a test: the first that fails is made small and
// printed.
#pragma once

#include <cstdint>

#include "tests/support/script_run.h"
#include "windows/store/window_policy.h"

namespace sash::testing {

// Runs `scripts` scripts from seed 1 on, or what SASH_SCRIPTS and SASH_FIRST_SEED say. Reports
// through GoogleTest. A failing script is made small unless SASH_SHRINK is 0.
void ExpectRandomScriptsAgree(const StoreSpec& spec, std::uint64_t scripts,
                              const StoreMaker& make_store = MakeSliceStore);

}  // namespace sash::testing
