#include "daemon/host_setup.h"

#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#include <cstdlib>

namespace sash {

void EnsurePassiveWaiting(char** argv) {
  constexpr const char* kPolicy = "OMP_WAIT_POLICY";
  if (std::getenv(kPolicy) != nullptr) {
    pthread_setname_np(pthread_self(), "sashd");  // not "exe", for who looks at processes: pgrep
    return;
  }
  if (setenv(kPolicy, "passive", 0) != 0) return;
  execv("/proc/self/exe", argv);
  // Without /proc the process goes on as it is: it is slower under load, not wrong.
}

void EnsureStandardStreams() {
  for (;;) {
    const int opened = open("/dev/null", O_RDWR);
    if (opened < 0) return;
    if (opened > STDERR_FILENO) {
      close(opened);
      return;
    }
  }
}

}  // namespace sash
