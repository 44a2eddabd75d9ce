// sashd --verify PATH: reads every byte of a checkpoint, or of a file of results.
//
// Thread safety: a free function that reads files.
#pragma once

#include <string>

namespace sash {

// The text to print, and the exit code; faults go to standard error, one a line.
struct Verdict {
  std::string summary;
  std::string faults;
  int code = 0;
};
Verdict VerifyState(const std::string& path);

}  // namespace sash
