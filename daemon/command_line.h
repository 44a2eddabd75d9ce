#pragma once

namespace sash {

// The whole process of sashd, for each of its commands (--config, --check, --probe, ...). Returns
// the exit code.
int RunCommandLine(int argc, char** argv);

}  // namespace sash
