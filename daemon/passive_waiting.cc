#include "daemon/passive_waiting.h"

#include <unistd.h>

#include <cstdlib>

namespace sash {

void EnsurePassiveWaiting(char** argv) {
  constexpr const char* kPolicy = "OMP_WAIT_POLICY";
  if (std::getenv(kPolicy) != nullptr) return;
  if (setenv(kPolicy, "passive", 0) != 0) return;
  execv("/proc/self/exe", argv);
  // Without /proc the process goes on as it is: it is slower under load, not wrong.
}

}  // namespace sash
