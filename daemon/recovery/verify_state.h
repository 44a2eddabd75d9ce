// sashd --verify PATH: reads every byte of a checkpoint, or of a file of results.
#pragma once

#include <string>

namespace sash {

// What it says, and how the process exits: faults go to standard error, one a line.
struct Verdict {
  std::string summary;
  std::string faults;
  int code = 0;
};
Verdict VerifyState(const std::string& path);

}  // namespace sash
