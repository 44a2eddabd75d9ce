// Thread list: the threads of this process as the kernel sees them.
//
// Thread safety: pure; costs a few file reads per thread.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace sash {

struct ThreadStanding {
  int id = 0;              // as in top -H and gdb
  std::string name;        // up to 15 bytes
  std::string_view state;  // "running", "sleeping", "waiting for a disk", ...
  double user_seconds = 0;
  double system_seconds = 0;
};

// Sorted by id. Threads that end meanwhile are left out. `tasks`: the folder in which the kernel
// lists them.
std::vector<ThreadStanding> ListThreads(const std::filesystem::path& tasks = "/proc/self/task");

}  // namespace sash
