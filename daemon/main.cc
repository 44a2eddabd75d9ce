#include "daemon/command_line.h"
#include "daemon/host_setup.h"
#include "daemon/plugins/plugin_child.h"

int main(int argc, char** argv) {
  sash::EnsureStandardStreams();
  sash::EnsureFileLimitsAreErrors();
  sash::EnsureLastWords();
  sash::EnsurePassiveWaiting(argv);
  if (sash::IsPluginChild(argc, argv)) return sash::RunPluginChild(argv);
  return sash::RunCommandLine(argc, argv);
}
