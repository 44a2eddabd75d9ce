#include "connectors/replay/replay_files.h"

#include <fmt/format.h>
#include <glob.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <system_error>
#include <utility>

namespace sash {
namespace {

Error Unreadable(std::string message) { return {ErrorCode::kInvalidArgument, std::move(message)}; }

Result<std::vector<std::string>> Matches(const std::string& pattern) {
  glob_t found = {};
  const int outcome = glob(pattern.c_str(), GLOB_NOSORT, nullptr, &found);
  std::vector<std::string> files(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  globfree(&found);
  if (outcome == GLOB_NOMATCH) {
    return Unreadable(
        fmt::format("`{}` matches no file; check the pattern and the working "
                    "directory",
                    pattern));
  }
  if (outcome != 0) return Unreadable(fmt::format("`{}` cannot be searched", pattern));
  std::ranges::sort(files);  // glob() would sort as the locale says
  return files;
}

}  // namespace

bool IsPattern(const std::string& path) {
  std::error_code unknown;
  return path.find_first_of("*?[") != std::string::npos && !std::filesystem::exists(path, unknown);
}

Result<std::vector<std::string>> FilesOf(const std::vector<std::string>& paths) {
  std::vector<std::string> files;
  std::map<std::string, std::string> named_by;  // the path that names a file
  for (const std::string& path : paths) {
    Result<std::vector<std::string>> found = std::vector<std::string>{path};
    if (IsPattern(path)) found = Matches(path);
    if (!found.ok()) return found;
    for (std::string& file : found.value()) {
      const auto [other, is_new] = named_by.emplace(file, path);
      if (!is_new) {
        return Unreadable(
            fmt::format("`{}` is named twice, by `{}` and by `{}`; each file is read "
                        "once",
                        file, other->second, path));
      }
      files.push_back(std::move(file));
    }
  }
  return files;
}

std::string NameOf(const std::vector<std::string>& paths) {
  if (paths.empty()) return "no file";
  std::string name = paths.front() == "-" ? "standard input" : paths.front();
  if (paths.size() > 1) name += fmt::format(" and {} more", paths.size() - 1);
  return name;
}

}  // namespace sash
