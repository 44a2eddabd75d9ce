#include "daemon/host_setup.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <system_error>

#include "daemon/log/exit_code.h"

namespace sash {

void EnsurePassiveWaiting(char** argv) {
  constexpr const char* kPolicy = "OMP_WAIT_POLICY";
  if (std::getenv(kPolicy) != nullptr) {
    pthread_setname_np(pthread_self(), "sashd");  // not "exe", for tools that list processes: pgrep
    return;
  }
  if (setenv(kPolicy, "passive", 0) != 0) return;
  execv("/proc/self/exe", argv);
  // Without /proc the process goes on without it: slower under load, but correct.
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

void EnsureFileLimitsAreErrors() { signal(SIGXFSZ, SIG_IGN); }

namespace {

// Allocates no memory: there may be none.
void Say(const char* what, const char* why, const char* remedy) {
  for (const char* text : {"sashd: ", what, why, remedy, "\n"}) {
    if (write(STDERR_FILENO, text, std::strlen(text)) < 0) return;
  }
}

[[noreturn]] void EndWithLastWords() {
  if (const std::exception_ptr thrown = std::current_exception()) {
    try {
      std::rethrow_exception(thrown);
    } catch (const std::bad_alloc&) {
      Say("out of memory", "",
          ": the process ends; raise what limits it (ulimit -v, ulimit -d, a control group), or "
          "lower "
          "memory.limit");
      _exit(kExitFailure);
    } catch (const std::system_error& error) {
      Say("the system refused a resource: ", error.what(),
          ": the process ends; look at its limits of memory, threads and files (ulimit -a)");
      _exit(kExitFailure);
    } catch (const std::exception& error) {
      Say("ended by an unexpected error: ", error.what(), "");
    } catch (...) {
      Say("ended by an unexpected exception", "", "");
    }
  }
  std::abort();
}

}  // namespace

void EnsureLastWords() { std::set_terminate(EndWithLastWords); }

}  // namespace sash
