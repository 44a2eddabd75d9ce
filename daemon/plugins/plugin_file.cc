#include "daemon/plugins/plugin_file.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>

namespace sash {
namespace {

namespace fs = std::filesystem;

Error NotPermitted(std::string why) { return {ErrorCode::kInvalidArgument, std::move(why)}; }

// The path without links; nothing if it does not exist.
std::optional<fs::path> RealPath(const std::string& path) {
  std::error_code failure;
  fs::path real = fs::canonical(path, failure);
  if (failure) return std::nullopt;
  return real;
}

bool IsBelow(const fs::path& file, const std::vector<std::string>& allowed) {
  return std::ranges::any_of(allowed, [&](const std::string& each) {
    const std::optional<fs::path> place = RealPath(each);
    if (!place) return false;
    return std::ranges::mismatch(*place, file).in1 == place->end();
  });
}

// Why somebody else could change what is there; nothing: nobody can.
std::optional<std::string> WhyNotOurs(const fs::path& path) {
  struct stat found {};
  if (::stat(path.c_str(), &found) != 0) {
    return fmt::format("`{}` cannot be examined: {}", path.string(), std::strerror(errno));
  }
  if (found.st_uid != 0 && found.st_uid != ::geteuid()) {
    return fmt::format(
        "`{}` belongs to the user with id {}; it must belong to root or to the user of sashd (id "
        "{}): chown it",
        path.string(), found.st_uid, ::geteuid());
  }
  if ((found.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
    return fmt::format("`{}` can be written to by others (mode {:04o}); chmod go-w it",
                       path.string(), found.st_mode & 07777U);
  }
  return std::nullopt;
}

}  // namespace

Result<std::string> PermittedPlugin(const std::string& path,
                                    const std::vector<std::string>& allowed) {
  if (allowed.empty()) {
    return NotPermitted(
        fmt::format("is `{}`, but no plug-in may be loaded: add its folder to `plugins`, at the "
                    "top of the configuration",
                    path));
  }
  const std::optional<fs::path> real = RealPath(path);
  if (!real) {
    return NotPermitted(
        fmt::format("`{}` cannot be found: {}", path, std::strerror(errno != 0 ? errno : ENOENT)));
  }
  if (!IsBelow(*real, allowed)) {
    const bool is_link = fs::path(path).lexically_normal() != *real;
    return NotPermitted(fmt::format("`{}`{} is not below a path of `plugins`; add its folder there",
                                    path, is_link ? fmt::format(" (`{}`)", real->string()) : ""));
  }
  std::error_code failure;
  if (!fs::is_regular_file(*real, failure)) {
    return NotPermitted(fmt::format("`{}` is not a regular file; give a shared object", path));
  }
  if (auto why = WhyNotOurs(*real)) return NotPermitted(*std::move(why));
  if (auto why = WhyNotOurs(real->parent_path())) return NotPermitted(*std::move(why));
  return real->string();
}

PluginFileState StateOfPlugin(const std::string& file) {
  struct stat found {};
  if (::stat(file.c_str(), &found) != 0) return {};
  return {found.st_dev, found.st_ino, found.st_size,
          std::int64_t{found.st_mtim.tv_sec} * 1'000'000'000 + found.st_mtim.tv_nsec};
}

}  // namespace sash
