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
  std::string Fixture(const std::string& name) const { return Copy(SASH_FIXTURES, name); }
  std::string Example(const std::string& name) const { return Copy(SASH_EXAMPLES, name); }
  std::string path() const { return folder_.path().string(); }

 private:
  const ScratchFolder folder_;
};

}  // namespace sash::testing
