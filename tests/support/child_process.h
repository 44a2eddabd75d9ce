// Runs part of a test in a child process, so that a failed check, a sanitizer's report or an
// endless loop ends the child, and the test can still say which script it was.
#pragma once

#include <functional>

namespace sash::testing {

// True when `body` returned true in the child. Threads must not be running. The child ends itself
// when it does not call ResetTimeLimit() or return for `seconds`; `quiet`: it prints nothing.
bool PassesInChild(const std::function<bool()>& body, unsigned seconds, bool quiet);

// In the child: another `seconds` from now.
void ResetTimeLimit(unsigned seconds);

}  // namespace sash::testing
