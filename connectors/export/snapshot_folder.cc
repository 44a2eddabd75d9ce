#include "connectors/export/snapshot_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <optional>
#include <system_error>
#include <utility>

#include "connectors/export/export_file.h"
#include "connectors/export/lock_table.h"
#include "connectors/export/own_folder.h"
#include "connectors/export/snapshot_name.h"

namespace sash {
namespace {

constexpr std::array<std::string_view, 11> kFrozenFiles{
    "out.indptr.npy", "out.indices.npy",  "out.weights.npy", "out.types.npy",
    "in.indptr.npy",  "in.indices.npy",   "in.weights.npy",  "in.types.npy",
    "keys.npy",       "keys.offsets.npy", "keys.bytes.npy"};

std::vector<std::string> FoldersIn(int folder) { return EntriesOf(folder, S_IFDIR); }

// The names of the files that Sash wrote besides snapshot.json.
std::vector<std::string> SnapshotFilesIn(int folder) {
  std::vector<std::string> names = EntriesOf(folder, 0);
  std::erase_if(names, [](const std::string& name) { return !IsSnapshotFile(name); });
  return names;
}

// "17" or "17-2".
bool IsSnapshotName(std::string_view name) {
  const auto is_number = [](std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
  };
  const std::size_t dash = name.find('-');
  if (dash == std::string_view::npos) return is_number(name);
  return is_number(name.substr(0, dash)) && is_number(name.substr(dash + 1));
}

FoundSnapshot LookAt(int folder, SnapshotPlace place) {
  FoundSnapshot found{.place = std::move(place)};
  struct stat about {};
  for (const std::string& name : SnapshotFilesIn(folder)) {
    if (::fstatat(folder, name.c_str(), &about, AT_SYMLINK_NOFOLLOW) != 0) continue;
    found.bytes += InPages(static_cast<std::uint64_t>(about.st_size));
  }
  if (::fstatat(folder, kSnapshotText, &about, AT_SYMLINK_NOFOLLOW) != 0) return found;
  found.is_whole = S_ISREG(about.st_mode);
  found.bytes += InPages(static_cast<std::uint64_t>(about.st_size));
  found.written = about.st_mtim.tv_sec * 1'000'000'000 + about.st_mtim.tv_nsec;
  return found;
}

std::vector<FoundSnapshot> SnapshotsIn(int of_window, const std::string& window) {
  std::vector<FoundSnapshot> all;
  for (const std::string& name : FoldersIn(of_window)) {
    if (!IsSnapshotName(name)) continue;
    const OwnedDescriptor snapshot = OpenFolderAt(of_window, name);
    if (snapshot.is_open()) all.push_back(LookAt(snapshot.number(), {window, name}));
  }
  return all;
}

}  // namespace

bool IsSnapshotFile(std::string_view name) {
  if (name == "vertices.parquet") return true;
  if (name.starts_with("edges-") && name.ends_with(".parquet")) return true;
  return name == kUnfinishedText || std::ranges::find(kFrozenFiles, name) != kFrozenFiles.end();
}

Result<std::unique_ptr<SnapshotFolder>> SnapshotFolder::Open(const std::string& path) {
  Result<OwnedDescriptor> opened = OpenOwnFolder(path);
  if (!opened) return opened.error();
  OwnedDescriptor folder = std::move(opened).value();
  const bool is_in_memory = IsInMemory(folder.number());
  return std::unique_ptr<SnapshotFolder>(new SnapshotFolder(path, std::move(folder), is_in_memory));
}

Result<std::vector<FoundSnapshot>> SnapshotFolder::List() const {
  std::vector<FoundSnapshot> all;
  for (const std::string& window : FoldersIn(folder_.number())) {
    const OwnedDescriptor of_window = OpenFolderAt(folder_.number(), window);
    if (!of_window.is_open()) return SystemFailure(fmt::format("open {}/{}", path_, window));
    std::ranges::move(SnapshotsIn(of_window.number(), window), std::back_inserter(all));
  }
  return all;
}

std::vector<FoundSnapshot> SnapshotFolder::SnapshotsOf(const std::string& window) const {
  const OwnedDescriptor of_window = OpenFolderAt(folder_.number(), window);
  if (!of_window.is_open()) return {};  // nothing is written yet
  return SnapshotsIn(of_window.number(), window);
}

Result<SnapshotFolder::Begun> SnapshotFolder::Begin(const std::string& window,
                                                    const std::string& name) const {
  const Result<bool> made = MakeFolder(folder_.number(), window);
  if (!made) return made.error();
  const OwnedDescriptor of_window = OpenFolderAt(folder_.number(), window);
  if (!of_window.is_open()) return SystemFailure(fmt::format("open {}/{}", path_, window));
  std::string free = name;
  for (int number = 2;; ++number) {
    const Result<bool> is_new = MakeFolder(of_window.number(), free);
    if (!is_new) return is_new.error();
    if (is_new.value()) break;
    free = fmt::format("{}-{}", name, number);
  }
  OwnedDescriptor folder = OpenFolderAt(of_window.number(), free);
  if (!folder.is_open()) return SystemFailure(fmt::format("open {}/{}/{}", path_, window, free));
  return Begun{{window, std::move(free)}, std::move(folder)};
}

Status SnapshotFolder::Complete(const Begun& begun, std::string_view text) const {
  return WriteWhole(begun.folder.number(), kSnapshotText, text);
}

OwnedDescriptor SnapshotFolder::OpenSnapshot(const SnapshotPlace& place) const {
  const OwnedDescriptor window = OpenFolderAt(folder_.number(), place.window);
  if (!window.is_open()) return OwnedDescriptor(-1);
  return OpenFolderAt(window.number(), place.name);
}

OwnedDescriptor SnapshotFolder::OpenText(const SnapshotPlace& place) const {
  const OwnedDescriptor snapshot = OpenSnapshot(place);
  if (!snapshot.is_open()) return OwnedDescriptor(-1);
  return OwnedDescriptor(
      ::openat(snapshot.number(), kSnapshotText, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
}

std::uint64_t SnapshotFolder::BytesOf(const Begun& begun) const {
  return LookAt(begun.folder.number(), begun.place).bytes;
}

Result<Removal> SnapshotFolder::Remove(const SnapshotPlace& place) const {
  const std::string what = fmt::format("remove {}/{}/{}", path_, place.window, place.name);
  const OwnedDescriptor snapshot = OpenSnapshot(place);
  if (!snapshot.is_open()) {
    if (errno == ENOENT) return Removal::kRemoved;
    return SystemFailure(what);
  }
  // Held until the files are gone: a reader that gets its lock later sees that its file has no name
  // any more.
  const OwnedDescriptor text = OpenText(place);
  if (text.is_open() && ::flock(text.number(), LOCK_EX | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK) return Removal::kLocked;
    return SystemFailure(what);
  }
  if (::unlinkat(snapshot.number(), kSnapshotText, 0) != 0 && errno != ENOENT) {
    return SystemFailure(what);
  }
  for (const std::string& name : SnapshotFilesIn(snapshot.number())) {
    if (::unlinkat(snapshot.number(), name.c_str(), 0) != 0 && errno != ENOENT) {
      return SystemFailure(what);
    }
  }
  const OwnedDescriptor window = OpenFolderAt(folder_.number(), place.window);
  if (!window.is_open()) return SystemFailure(what);
  if (::unlinkat(window.number(), place.name.c_str(), AT_REMOVEDIR) != 0 && errno != ENOENT) {
    return SystemFailure(what);
  }
  return Removal::kRemoved;
}

std::string SnapshotFolder::PathOf(const SnapshotPlace& place) const {
  std::error_code none;  // without a working directory, the path stays relative
  const std::filesystem::path path = std::filesystem::absolute(path_, none);
  const std::filesystem::path window = (none ? std::filesystem::path(path_) : path) / place.window;
  return place.name.empty() ? window : window / place.name;
}

OwnedDescriptor SnapshotFolder::Lock(const SnapshotPlace& place) const {
  OwnedDescriptor text = OpenText(place);
  struct stat about {};
  if (!text.is_open() || ::flock(text.number(), LOCK_SH | LOCK_NB) != 0 ||
      ::fstat(text.number(), &about) != 0 || about.st_nlink == 0) {
    return OwnedDescriptor(-1);
  }
  return text;
}

OwnedDescriptor SnapshotFolder::OpenFile(const SnapshotPlace& place,
                                         const std::string& file) const {
  const OwnedDescriptor snapshot = OpenSnapshot(place);
  if (!snapshot.is_open()) return OwnedDescriptor(-1);
  return OwnedDescriptor(
      ::openat(snapshot.number(), file.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
}

std::vector<int> SnapshotFolder::Holders(const SnapshotPlace& place) const {
  const OwnedDescriptor text = OpenText(place);
  if (!text.is_open()) return {};
  struct stat about {};
  if (::fstat(text.number(), &about) != 0) return {};
  return HoldersOf(about.st_dev, about.st_ino);
}

}  // namespace sash
