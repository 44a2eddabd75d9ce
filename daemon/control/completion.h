// Scripts that complete the commands, options and names of sashctl in a shell.
//
// Thread safety: free functions.
// Invariants:
// (1) Names of jobs and windows are requested from the daemon given on the line or by the
//     environment; without a response there are none.
#pragma once

#include <string>
#include <string_view>

namespace sash {

// `shell` is one of Shells().
std::string CompletionScript(std::string_view shell);

}  // namespace sash
