#include "daemon/command_line.h"
#include "daemon/passive_waiting.h"

int main(int argc, char** argv) {
  sash::EnsurePassiveWaiting(argv);
  return sash::RunCommandLine(argc, argv);
}
