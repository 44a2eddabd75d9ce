#include "connectors/export/lock_table.h"

#include <fmt/format.h>
#include <sys/sysmacros.h>

#include <fstream>
#include <sstream>

#include "windows/base/sort_distinct.h"

namespace sash {

std::vector<int> HoldersIn(const std::string& locks, dev_t device, ino_t inode) {
  const std::string file = fmt::format("{:02x}:{:02x}:{}", major(device), minor(device), inode);
  std::vector<int> holders;
  std::istringstream lines(locks);
  for (std::string line; std::getline(lines, line);) {
    // "1: FLOCK  ADVISORY  READ 4711 00:1a:35 0 EOF"; a lock that waits has "->" after the number.
    std::istringstream words(line);
    std::string number;
    std::string kind;
    std::string strictness;
    std::string access;
    int holder = 0;
    std::string locked;
    if (!(words >> number >> kind >> strictness >> access >> holder >> locked)) continue;
    if (kind == "FLOCK" && locked == file && holder > 0) holders.push_back(holder);
  }
  SortDistinct(holders);
  return holders;
}

std::vector<int> HoldersOf(dev_t device, ino_t inode) {
  std::ostringstream text;
  text << std::ifstream("/proc/locks").rdbuf();
  return HoldersIn(text.str(), device, inode);
}

}  // namespace sash
