#include "tests/support/child_process.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>

#include "windows/base/check.h"

namespace sash::testing {

bool PassesInChild(const std::function<bool()>& body, unsigned seconds, bool quiet) {
  std::fflush(nullptr);
  const pid_t child = fork();
  SASH_CHECK(child >= 0);
  if (child == 0) {
    if (quiet) {
      const int nowhere = open("/dev/null", O_WRONLY);
      SASH_CHECK(nowhere >= 0 && dup2(nowhere, 1) == 1 && dup2(nowhere, 2) == 2);
    }
    ResetTimeLimit(seconds);
    // exit(), not _exit(), so that LeakSanitizer runs.
    std::exit(body() ? 0 : 1);
  }
  int status = 0;
  while (waitpid(child, &status, 0) != child) SASH_CHECK(errno == EINTR);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

void ResetTimeLimit(unsigned seconds) { alarm(seconds); }

}  // namespace sash::testing
