// Makes a script that fails small: drops windows, panes and operations while it fails.
#pragma once

#include <functional>

#include "tests/support/store_script.h"

namespace sash::testing {

// `fails(script)` is true, and asked at most `attempts` times.
StoreScript Shrink(StoreScript script, const std::function<bool(const StoreScript&)>& fails,
                   int attempts);

}  // namespace sash::testing
