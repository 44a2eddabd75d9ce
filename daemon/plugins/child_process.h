// ChildProcess: this executable, started again as the process of one plug-in (plugin_child.h).
//
// Thread safety: belongs to the thread that started it, which must go on until it is destroyed: the
// kernel ends the process together with that thread, and so together with sashd.
//
// Invariants
//   (1) The process has three descriptors beside /dev/null: kChildTask, kChildAnswer, and no more.
//   (2) The destructor ends the process, and all that it has started in its group. It waits at most
//       5 s for the end; a process that takes longer is reaped later.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <string>

#include "windows/base/clock.h"
#include "windows/base/result.h"

namespace sash {

inline constexpr const char* kPluginChild = "--plugin-child";
inline constexpr int kChildTask = 3;    // it reads its task here
inline constexpr int kChildAnswer = 4;  // it writes its answer here

class ChildProcess {
 public:
  // `task`: a descriptor, which stays the caller's.
  static Result<ChildProcess> Start(int task);
  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&&) = delete;
  ~ChildProcess();

  enum class Got : unsigned char { kBytes, kNothing, kEnd };
  // Appends what the process has written, at most 256 KiB. Waits for it at most for `patience`.
  Got Read(std::string& into, Duration patience);

  // After kEnd: ends it, and says how it ended. "its process was ended by signal 11 (...)".
  std::string HowItEnded();

 private:
  ChildProcess(pid_t process, int answer) : process_(process), answer_(answer) {}

  // Whether it has ended within `patience`; then `status` is that of waitpid().
  bool Reap(Duration patience, int& status);
  void Kill();

  pid_t process_;  // -1: it was reaped
  int answer_;
};

}  // namespace sash
