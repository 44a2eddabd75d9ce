#include "connectors/sinks/file_trail.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <sstream>
#include <system_error>
#include <utility>
#include <vector>

#include "connectors/sinks/regular_file.h"

namespace sash {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kTrailHead = "sash-held 1 ";
constexpr std::size_t kMostBytes = 256 << 20;
constexpr std::size_t kMostLookedAt = 100'000;  // files

fs::path FolderOfFile(const std::string& path) {
  std::error_code unresolved;
  const fs::path whole = fs::weakly_canonical(path, unresolved);
  const fs::path folder = (unresolved ? fs::path(path) : whole).parent_path();
  return folder.empty() ? fs::path(".") : folder;
}

}  // namespace

std::string FileTrail::PathFor(const std::string& path) {
  const fs::path whole(path);
  return (whole.parent_path() / fmt::format(".{}.held", whole.filename().string())).string();
}

Result<FileTrail> FileTrail::Read(const std::string& path) {
  FileTrail trail(PathFor(path));
  Result<std::string> text = ReadRegularFile(trail.path_, kMostBytes);
  if (!text && text.error().code == ErrorCode::kNotFound) return trail;
  if (!text) {
    return Error{text.error().code, fmt::format("{}: {}", trail.path_, text.error().message)};
  }
  std::istringstream stream(std::move(text).value());
  std::string line;
  FileMark file;
  std::getline(stream, line);
  const bool whole =
      line.starts_with(kTrailHead) && std::sscanf(line.c_str() + kTrailHead.size(), "%lu %lu %ld",
                                                  &file.device, &file.inode, &file.born) == 3;
  if (!whole) {
    return Error{ErrorCode::kCorruption,
                 fmt::format("{}: not written by sash; move it away", trail.path_)};
  }
  trail.file_ = file;
  while (std::getline(stream, line)) trail.moved_.insert(line);
  return trail;
}

Status FileTrail::Follow(const FileMark& file, std::set<std::string> moved) {
  if (file_ == file && moved_ == moved) return Ok{};
  const std::string next = path_ + ".next";
  std::string text = fmt::format("{}{} {} {}\n", kTrailHead, file.device, file.inode, file.born);
  for (const std::string& name : moved) text.append(name).push_back('\n');
  std::error_code none_there;
  fs::remove(next, none_there);  // left by a process that was killed
  Result<AppendFile> written = AppendFile::Open(next);
  if (!written) return std::move(written).error();
  Status kept = written.value().Append(text);
  if (kept.ok()) kept = written.value().Sync();
  if (kept.ok()) kept = written.value().RenameTo(path_);
  if (!kept) return kept;
  file_ = file;
  moved_ = std::move(moved);
  return Ok{};
}

void FileTrail::Remove() const {
  std::error_code none_there;
  fs::remove(path_, none_there);
}

std::optional<std::string> FindMoved(const std::string& path, const FileMark& file) {
  std::size_t seen = 0;
  std::vector<fs::path> folders = {FolderOfFile(path)};
  for (std::size_t i = 0; i < folders.size(); ++i) {
    std::error_code failure;
    for (auto at = fs::directory_iterator(folders[i], failure);
         !failure && at != fs::directory_iterator() && ++seen < kMostLookedAt;
         at.increment(failure)) {
      std::error_code unknown;
      const fs::file_status status = at->symlink_status(unknown);
      if (fs::is_directory(status) && i == 0) folders.push_back(at->path());
      if (fs::is_regular_file(status) && MarkOfFile(at->path().string()) == file) {
        return at->path().string();
      }
    }
  }
  return std::nullopt;
}

}  // namespace sash
