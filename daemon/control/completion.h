// Scripts that complete the commands, options and names of sashctl in a shell.
//
// Thread safety: free functions.
// Invariants:
// (1) Names of jobs and windows are asked of the daemon that the line names, or that the
//     environment does; without an answer there are none.
#pragma once

#include <string>
#include <string_view>

namespace sash {

// `shell` is one of Shells().
std::string CompletionScript(std::string_view shell);

}  // namespace sash
