#pragma once

namespace sash {

// The whole process: sashd --config FILE | --check FILE | --print-config FILE | --version.
int RunCommandLine(int argc, char** argv);

}  // namespace sash
