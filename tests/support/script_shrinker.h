// Shrinks a failing script: drops windows, panes and operations as long as it still fails.
#pragma once

#include <functional>

#include "tests/support/store_script.h"

namespace sash::testing {

// REQUIRES: fails(script) is true. Calls `fails` at most `attempts` times.
StoreScript Shrink(StoreScript script, const std::function<bool(const StoreScript&)>& fails,
                   int attempts);

}  // namespace sash::testing
