// A folder in shared memory, and the names in a folder.
#pragma once

#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace sash::testing {

// A folder in shared memory for one test, because making files durable there costs nothing.
class SharedFolder {
 public:
  SharedFolder() {
    std::string pattern = "/dev/shm/sash-test-XXXXXX";
    path_ = ::mkdtemp(pattern.data());
  }
  SharedFolder(const SharedFolder&) = delete;
  SharedFolder& operator=(const SharedFolder&) = delete;
  ~SharedFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::string File(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

// The names in a folder, sorted; none if it does not exist.
inline std::vector<std::string> NamesIn(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code missing;
  for (auto at = std::filesystem::directory_iterator(folder, missing);
       !missing && at != std::filesystem::directory_iterator(); at.increment(missing)) {
    names.push_back(at->path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace sash::testing
