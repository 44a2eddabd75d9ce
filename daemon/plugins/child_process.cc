#include "daemon/plugins/child_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>
#include <utility>
#include <vector>

#include "windows/base/mutex.h"

namespace sash {
namespace {

constexpr std::chrono::seconds kMostReaping{5};
constexpr std::chrono::milliseconds kLeaving{200};  // from the end of the answer to its own end
constexpr std::size_t kAtOnce = 256 << 10;

// Processes that had not ended 5 s after SIGKILL: a device does not answer.
class LateProcesses {
 public:
  void Add(pid_t process) {
    const MutexLock lock(mutex_);
    processes_.push_back(process);
  }
  void Reap() {
    const MutexLock lock(mutex_);
    std::erase_if(processes_,
                  [](pid_t process) { return ::waitpid(process, nullptr, WNOHANG) != 0; });
  }

 private:
  Mutex mutex_;
  std::vector<pid_t> processes_ SASH_GUARDED_BY(mutex_);
};

LateProcesses& Late() {
  static LateProcesses late;
  return late;
}

Error NotStarted(const char* what, int number) {
  return {ErrorCode::kUnavailable,
          fmt::format("its process cannot be started: {}: {}", what, std::strerror(number))};
}

// Closes a descriptor.
class OwnedDescriptor {
 public:
  explicit OwnedDescriptor(int number) : number_(number) {}
  ~OwnedDescriptor() {
    if (number_ >= 0) ::close(number_);
  }
  OwnedDescriptor(const OwnedDescriptor&) = delete;
  OwnedDescriptor& operator=(const OwnedDescriptor&) = delete;
  int number() const { return number_; }
  int Release() { return std::exchange(number_, -1); }

 private:
  int number_;
};

// The plan of a start: descriptors, signals, a process group.
class SpawnPlan {
 public:
  SpawnPlan() {
    ::posix_spawn_file_actions_init(&actions_);
    ::posix_spawnattr_init(&attributes_);
  }
  ~SpawnPlan() {
    ::posix_spawn_file_actions_destroy(&actions_);
    ::posix_spawnattr_destroy(&attributes_);
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;

  // Both descriptors are above those of the child.
  int Fill(int task, int answer) {
    int failed = 0;
    const auto take = [&](int result) { failed = failed != 0 ? failed : result; };
    for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
      take(::posix_spawn_file_actions_addopen(&actions_, standard, "/dev/null", O_RDWR, 0));
    }
    take(::posix_spawn_file_actions_adddup2(&actions_, task, kChildTask));
    take(::posix_spawn_file_actions_adddup2(&actions_, answer, kChildAnswer));
    take(::posix_spawn_file_actions_addclosefrom_np(&actions_, kChildAnswer + 1));
    sigset_t none;
    sigset_t all;
    ::sigemptyset(&none);
    ::sigfillset(&all);
    take(::posix_spawnattr_setsigmask(&attributes_, &none));
    take(::posix_spawnattr_setsigdefault(&attributes_, &all));
    take(::posix_spawnattr_setpgroup(&attributes_, 0));
    take(::posix_spawnattr_setflags(
        &attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP));
    return failed;
  }
  int Spawn(pid_t& process) {
    std::string name = "sashd";
    std::string option = kPluginChild;
    std::string parent = std::to_string(::getpid());
    char* const arguments[] = {name.data(), option.data(), parent.data(), nullptr};
    return ::posix_spawn(&process, "/proc/self/exe", &actions_, &attributes_, arguments, environ);
  }

 private:
  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
};

}  // namespace

Result<ChildProcess> ChildProcess::Start(int task) {
  Late().Reap();
  int ends[2] = {-1, -1};
  if (::pipe2(ends, O_CLOEXEC) != 0) return NotStarted("pipe", errno);
  OwnedDescriptor answer(ends[0]);
  const OwnedDescriptor written(ends[1]);
  constexpr int kAbove = 16;
  const OwnedDescriptor task_above(::fcntl(task, F_DUPFD_CLOEXEC, kAbove));
  const OwnedDescriptor written_above(::fcntl(written.number(), F_DUPFD_CLOEXEC, kAbove));
  if (task_above.number() < 0 || written_above.number() < 0) return NotStarted("fcntl", errno);
  SpawnPlan plan;
  if (const int failed = plan.Fill(task_above.number(), written_above.number()); failed != 0) {
    return NotStarted("posix_spawn", failed);
  }
  pid_t process = -1;
  if (const int failed = plan.Spawn(process); failed != 0) {
    return NotStarted("/proc/self/exe", failed);
  }
  return ChildProcess(process, answer.Release());
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : process_(std::exchange(other.process_, -1)), answer_(std::exchange(other.answer_, -1)) {}

ChildProcess::~ChildProcess() {
  if (answer_ >= 0) ::close(answer_);
  if (process_ < 0) return;
  Kill();
  int status = 0;
  if (!Reap(kMostReaping, status)) Late().Add(process_);
}

ChildProcess::Got ChildProcess::Read(std::string& into, Duration patience) {
  pollfd ready{.fd = answer_, .events = POLLIN, .revents = 0};
  const auto wait = std::chrono::ceil<std::chrono::milliseconds>(patience).count();
  if (::poll(&ready, 1, static_cast<int>(wait)) <= 0) return Got::kNothing;
  const std::size_t before = into.size();
  into.resize(before + kAtOnce);
  const ssize_t count = ::read(answer_, into.data() + before, kAtOnce);
  into.resize(before + static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
  if (count > 0) return Got::kBytes;
  return count < 0 && (errno == EINTR || errno == EAGAIN) ? Got::kNothing : Got::kEnd;
}

// The group, and the process itself if it has left the group.
void ChildProcess::Kill() {
  ::kill(-process_, SIGKILL);
  ::kill(process_, SIGKILL);
}

bool ChildProcess::Reap(Duration patience, int& status) {
  const SteadyTime until = std::chrono::steady_clock::now() + patience;
  for (;;) {
    siginfo_t ended{};
    if (::waitid(P_PID, static_cast<id_t>(process_), &ended, WEXITED | WNOHANG | WNOWAIT) != 0 &&
        errno != EINTR) {
      return true;  // SIGCHLD is ignored: the kernel has reaped it
    }
    if (ended.si_pid == process_) {
      ::kill(-process_, SIGKILL);  // what it has started, while the number is still its own
      ::waitpid(process_, &status, 0);
      return true;
    }
    if (std::chrono::steady_clock::now() >= until) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

std::string ChildProcess::HowItEnded() {
  int status = 0;
  if (!Reap(kLeaving, status)) return "it closed the descriptor of its answer and went on";
  process_ = -1;
  if (WIFSIGNALED(status)) {
    const char* const name = ::sigdescr_np(WTERMSIG(status));
    return fmt::format("its process was ended by signal {} ({})", WTERMSIG(status),
                       name == nullptr ? "unknown" : name);
  }
  return fmt::format("its process ended with exit code {} before it had answered",
                     WEXITSTATUS(status));
}

}  // namespace sash
