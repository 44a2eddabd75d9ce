#include "daemon/command_line.h"
#include "daemon/host_setup.h"
#include "daemon/plugins/plugin_child.h"
#include "daemon/shutdown/stop_request.h"

int main(int argc, char** argv) {
  if (!sash::IsPluginChild(argc, argv)) sash::StopRequest::HoldSignals();
  sash::EnsureStandardStreams();
  sash::EnsureFileLimitsAreErrors();
  sash::EnsureLastWords();
  sash::EnsurePassiveWaiting(argv);
  if (sash::IsPluginChild(argc, argv)) return sash::RunPluginChild(argv);
  return sash::RunCommandLine(argc, argv);
}
