#include "daemon/check/file_uses.h"

#include <fmt/format.h>
#include <fnmatch.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "connectors/replay/replay_files.h"
#include "connectors/sinks/append_file.h"
#include "daemon/config/normal_path.h"

namespace sash {
namespace {

namespace fs = std::filesystem;

std::optional<FileIdentity> Identify(const struct stat& found) {
  if (S_ISCHR(found.st_mode)) return std::nullopt;
  return FileIdentity{found.st_dev, found.st_ino};
}

// Empty for devices and for paths that cannot be examined.
std::optional<FileIdentity> Locate(fs::path path) {
  constexpr int kMostLinks = 40;
  for (int links = 0; links < kMostLinks; ++links) {
    struct stat found {};
    if (::stat(path.c_str(), &found) == 0) return Identify(found);
    if (errno != ENOENT) return std::nullopt;
    std::error_code failure;
    const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
    const fs::path target = fs::read_symlink(path, failure);
    if (!failure) {  // a link to a file that does not exist yet
      path = target.is_absolute() ? target : folder / target;
      continue;
    }
    if (!path.has_filename()) {
      path = folder;
      continue;
    }
    if (::stat(folder.c_str(), &found) != 0) return std::nullopt;
    return FileIdentity{found.st_dev, found.st_ino, path.filename().string()};
  }
  return std::nullopt;
}

// Whether sashd itself writes files of this name in such a folder.
bool IsOwnName(FileUses::FolderKind kind, std::string_view name) {
  const auto begins = [name](std::string_view with) { return name.starts_with(with); };
  switch (kind) {
    case FileUses::FolderKind::kState:
      return begins("manifest") || begins("slice-") || begins("rounds-") || begins("rewind");
    case FileUses::FolderKind::kOutbox:
      return name.ends_with(".jsonl") || begins("name");
    case FileUses::FolderKind::kSpill:
      return false;  // the spill file has no name
    case FileUses::FolderKind::kExport:
      return false;  // it holds folders
  }
  return false;
}

std::string Sentence(const FileUses::Use& blamed, const FileUses::Use& other) {
  if (other.key.empty()) {
    return fmt::format("`{}` is the configuration file `{}` itself; give another path", blamed.path,
                       other.path);
  }
  if (!other.folder.empty()) {
    return fmt::format("`{}` is `{}`, a file that {} keeps in its folder; give another path",
                       blamed.path, other.path, other.key);
  }
  if (blamed.path == other.path) {
    return fmt::format("`{}` is the file of {} already; give each its own file", blamed.path,
                       other.key);
  }
  return fmt::format("`{}` is the file of {} (`{}`) under another name; give each its own file",
                     blamed.path, other.key, other.path);
}

}  // namespace

void FileUses::ReadPattern(const std::string& key, const std::string& pattern) {
  patterns_.push_back(pattern);
  const Result<std::vector<std::string>> files = FilesOf({pattern});
  if (!files.ok()) return;  // the start reports it
  for (const std::string& file : files.value()) Read(key, file);
}

void FileUses::Write(const std::string& key, const std::string& path,
                     std::initializer_list<std::string> beside) {
  const bool stream = IsOwnDescriptor(path);
  AddPath({key, path, true, stream});
  if (stream) return;
  for (const std::string& file : beside) AddPath({key, file, true});
}

void FileUses::Stream(std::string key, std::string name, int descriptor, bool written) {
  struct stat found {};
  if (::fstat(descriptor, &found) != 0 || !S_ISREG(found.st_mode)) return;
  Add(Identify(found), {std::move(key), std::move(name), written, written});
}

void FileUses::Folder(const std::string& key, const std::string& path, FolderKind kind) {
  AddPath({key, path, true});
  if (auto folder = Locate(path)) folders_.push_back({key, path, kind, *std::move(folder)});
  AddContent(key, path, kind);
  if (kind == FolderKind::kState) AddContent(key, path + "/rewind", kind);
}

void FileUses::FindIntruders() {
  for (const auto& [use, identity] : placed_) {
    for (const std::string& pattern : patterns_) {
      if (!use.written || fnmatch(NormalPath(pattern).c_str(), NormalPath(use.path).c_str(),
                                  FNM_PATHNAME | FNM_PERIOD) != 0) {
        continue;
      }
      Fail(use.key, fmt::format("`{}` matches source.replay.path (`{}`), so the next replay "
                                "would read it; give another path",
                                use.path, pattern));
    }
  }
  for (const auto& [use, identity] : placed_) {
    for (const OwnFolder& folder : folders_) {
      const std::optional<std::string> name = NameIn(folder, use.path, identity);
      if (!name || !use.written || use.key == folder.key || !IsOwnName(folder.kind, *name)) {
        continue;
      }
      Fail(use.key, fmt::format("`{}` is the name of a file that {} (`{}`) keeps in its folder; "
                                "give another path",
                                use.path, folder.key, folder.path));
    }
  }
}

// The name of a file that would be created in the folder, which may not exist yet either.
std::optional<std::string> FileUses::NameIn(const OwnFolder& folder, const std::string& path,
                                            const std::optional<FileIdentity>& file) {
  if (file && !file->name.empty() && folder.identity.name.empty() &&
      file->inode == folder.identity.inode && file->device == folder.identity.device) {
    return file->name;
  }
  const fs::path normal = NormalPath(path);
  if (file || normal.parent_path() != fs::path(NormalPath(folder.path))) return std::nullopt;
  return normal.filename().string();
}

void FileUses::AddPath(Use use) {
  std::optional<FileIdentity> identity = Locate(use.path);
  Add(std::move(identity), std::move(use));
}

void FileUses::Add(std::optional<FileIdentity> identity, Use use) {
  placed_.emplace_back(use, identity);
  if (!identity) return;
  std::vector<Use>& others = by_identity_[*std::move(identity)];
  for (const Use& other : others) Compare(other, use);
  others.push_back(std::move(use));
}

void FileUses::AddContent(const std::string& key, const std::string& path, FolderKind kind) {
  std::error_code failure;
  for (auto at = fs::directory_iterator(path, failure); !failure && at != fs::directory_iterator();
       at.increment(failure)) {
    const fs::path file = at->path();
    struct stat found {};
    if (!IsOwnName(kind, file.filename().string()) || ::stat(file.c_str(), &found) != 0 ||
        !S_ISREG(found.st_mode)) {
      continue;
    }
    Add(Identify(found), {key, file.string(), true, false, path});
  }
}

void FileUses::Compare(const Use& first, const Use& second) {
  if (!(first.written || second.written) || (first.stream && second.stream)) return;
  if (first.key == second.key) return;
  const bool blame_second = second.written && second.folder.empty();
  const Use& blamed = blame_second || !first.written ? second : first;
  const Use& other = &blamed == &second ? first : second;
  Fail(blamed.key, Sentence(blamed, other));
}

void FileUses::Fail(const std::string& key, std::string message) {
  const auto is_wrong = [&](const ConfigError& error) {
    return error.key == key || error.key.starts_with(key + ".") || key.starts_with(error.key + ".");
  };
  if (std::ranges::any_of(parsed_.errors, is_wrong)) return;
  parsed_.Fail(key, std::move(message));
}

}  // namespace sash
