// A folder from which plug-ins may be loaded, whatever the modes of the build's folders are.
#pragma once

#include <sys/stat.h>

#include <filesystem>
#include <string>

#include "tests/support/scratch_folder.h"

namespace sash::testing {

class PluginFolder {
 public:
  // The path of a copy that only this user can write to.
  std::string Copy(const std::string& folder, const std::string& name,
                   const std::string& as = "") const {
    const std::string path = folder_.File((as.empty() ? name : as) + ".so");
    std::filesystem::copy_file(folder + "/" + name + ".so", path,
                               std::filesystem::copy_options::overwrite_existing);
    ::chmod(path.c_str(), 0755);
    return path;
  }
  // Copied once: a process that has loaded a file refuses another one of its name.
  std::string Fixture(const std::string& name) const { return CopyOnce(SASH_FIXTURES, name); }
  std::string Example(const std::string& name) const { return CopyOnce(SASH_EXAMPLES, name); }
  std::string path() const { return folder_.path().string(); }

 private:
  std::string CopyOnce(const std::string& folder, const std::string& name) const {
    const std::string path = folder_.File(name + ".so");
    return std::filesystem::exists(path) ? path : Copy(folder, name);
  }

  const ScratchFolder folder_;
};

}  // namespace sash::testing
