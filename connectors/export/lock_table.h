// The locks of the system, from /proc/locks.
//
// Thread safety: free functions.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace sash {

// The ids of the processes that hold a flock on the file, ascending. A lock of a process that is
// not visible here (another PID namespace) is not listed.
std::vector<int> HoldersOf(dev_t device, ino_t inode);

// The same, in a text of the format of /proc/locks.
std::vector<int> HoldersIn(const std::string& locks, dev_t device, ino_t inode);

}  // namespace sash
