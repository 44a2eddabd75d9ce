// Runs part of a test in a child process. A failed check, a sanitizer's report or an endless loop
// then ends only the child, and the test can still report which script it was.
#pragma once

#include <functional>

namespace sash::testing {

// True when `body` returned true in the child. REQUIRES: no other threads are running. The child
// ends itself when it neither calls ResetTimeLimit() nor returns for `seconds`. `quiet`: the child
// prints nothing.
bool PassesInChild(const std::function<bool()>& body, unsigned seconds, bool quiet);

// Called in the child: sets its time limit to `seconds` from now.
void ResetTimeLimit(unsigned seconds);

}  // namespace sash::testing
