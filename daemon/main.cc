#include "daemon/command_line.h"
#include "daemon/host_setup.h"

int main(int argc, char** argv) {
  sash::EnsureStandardStreams();
  sash::EnsureFileLimitsAreErrors();
  sash::EnsureLastWords();
  sash::EnsurePassiveWaiting(argv);
  return sash::RunCommandLine(argc, argv);
}
