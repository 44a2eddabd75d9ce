// What sashctl writes to standard output and standard error.
//
// Thread safety: any thread.
#pragma once

#include <string>

namespace sash {

// Writes to standard output. Returns a ControlExit: a failed write is a failure, and is reported.
int PrintOut(const std::string& text);

// Writes the message to standard error and returns `code`.
int EndWith(int code, const std::string& message);

// Says what is wrong with the command line, and returns kControlUsage.
int EndAsMisused(const std::string& what);

}  // namespace sash
