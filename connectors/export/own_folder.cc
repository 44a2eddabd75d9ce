#include "connectors/export/own_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <linux/magic.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace sash {
namespace {

constexpr mode_t kFolderMode = 0750;
constexpr mode_t kBeyondFolderMode = 0027;

std::optional<Error> WhyNotOurs(const std::string& path, int folder) {
  struct stat about {};
  if (::fstat(folder, &about) != 0) return SystemFailure("look at " + path);
  if (about.st_uid != ::geteuid()) {
    return Error{ErrorCode::kUnavailable,
                 fmt::format("open {}: it belongs to the user with id {}, but sashd runs with id "
                             "{}; give a folder of its own",
                             path, about.st_uid, ::geteuid())};
  }
  if ((about.st_mode & kBeyondFolderMode) != 0) {
    return Error{ErrorCode::kUnavailable,
                 fmt::format("open {}: its mode is {:04o}, so others may change or read it; `chmod "
                             "0750` it, or give a folder that does not exist yet",
                             path, about.st_mode & 07777)};
  }
  return std::nullopt;
}

}  // namespace

OwnedDescriptor OpenFolderAt(int at, const std::string& name) {
  return OwnedDescriptor(
      ::openat(at, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

std::vector<std::string> EntriesOf(int folder, mode_t kind) {
  std::vector<std::string> names;
  const int copy = ::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (copy < 0) return names;
  DIR* const listing = ::fdopendir(copy);
  if (listing == nullptr) {
    ::close(copy);
    return names;
  }
  while (const dirent* const entry = ::readdir(listing)) {
    const std::string name = entry->d_name;
    struct stat about {};
    if (name == "." || name == "..") continue;
    if (::fstatat(folder, name.c_str(), &about, AT_SYMLINK_NOFOLLOW) != 0) continue;
    if (kind == 0 || (about.st_mode & S_IFMT) == kind) names.push_back(name);
  }
  ::closedir(listing);
  std::ranges::sort(names);
  return names;
}

Result<bool> MakeFolder(int at, const std::string& name) {
  if (::mkdirat(at, name.c_str(), kFolderMode) != 0) {
    if (errno == EEXIST) return false;
    return SystemFailure("create " + name);
  }
  const OwnedDescriptor made = OpenFolderAt(at, name);
  if (!made.is_open() || ::fchmod(made.number(), kFolderMode) != 0) {
    return SystemFailure("create " + name);
  }
  return true;
}

bool IsInMemory(int folder) {
  struct statfs about {};
  return ::fstatfs(folder, &about) == 0 && about.f_type == TMPFS_MAGIC;
}

Result<OwnedDescriptor> OpenOwnFolder(const std::string& path) {
  const Result<bool> made = MakeFolder(AT_FDCWD, path);
  if (!made) return made.error();
  OwnedDescriptor folder = OpenFolderAt(AT_FDCWD, path);
  if (!folder.is_open()) {
    const bool is_link = errno == ELOOP || errno == ENOTDIR;
    if (!is_link) return SystemFailure("open " + path);
    return Error{ErrorCode::kUnavailable,
                 "open " + path + ": it is a link or a file; give the path of a folder"};
  }
  if (std::optional<Error> why = WhyNotOurs(path, folder.number())) return *std::move(why);
  if (::flock(folder.number(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) return SystemFailure("lock " + path);
    return Error{ErrorCode::kOverloaded,
                 "lock " + path + ": another process uses it; each needs a folder of its own"};
  }
  return folder;
}

}  // namespace sash
