#pragma once

#include <string>
#include <string_view>

#include "windows/jobs/run_result.h"

namespace sash {

// Every key begins so.
inline constexpr std::string_view kResultKeyHead = R"({"job":)";

// The identity of a result (DESIGN: Time and determinism) as one JSON object: {"job", "window",
// "window_end"}, the last one being "accepted" for windows by events. The same result has the same
// key for ever, so in a topic a replay overwrites what was there.
std::string ResultKey(const RunResult& result);

}  // namespace sash
