// FileTrail: records which file a sink wrote to last, and what it wrote to earlier files that were
// moved away. The trail is a file beside the sink's file (.NAME.held). With it, nothing is written
// twice when the file is moved away (as logrotate does) and the process then ends.
//
// It does not list the lines of the current file: they are read from that file. It does not list
// lines of a deleted file either: they must be written again.
//
// Thread safety: none; the owner serialises.
//
// Invariants
//   (1) A trail on disk is complete: a new one is synced, then renamed into place.
//   (2) A file that this class did not write is neither used nor replaced.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "connectors/sinks/append_file.h"
#include "windows/base/result.h"

namespace sash {

class FileTrail {
 public:
  // Reads the trail of the file at `path`. kCorruption: the file there is not a trail.
  static Result<FileTrail> Read(const std::string& path);

  static std::string PathFor(const std::string& path);

  // The file that was written last; none: unknown.
  const std::optional<FileMark>& file() const { return file_; }
  // Names of the lines in files that were moved away.
  const std::set<std::string>& moved() const { return moved_; }

  // Records that new lines go to `file`.
  Status Follow(const FileMark& file, std::set<std::string> moved);

  // Deletes the trail from disk.
  void Remove() const;

 private:
  explicit FileTrail(std::string path) : path_(std::move(path)) {}

  std::string path_;
  std::optional<FileMark> file_;
  std::set<std::string> moved_;
};

// Finds a file that was at `path` before: in the same folder, or in one of its subfolders.
std::optional<std::string> FindMoved(const std::string& path, const FileMark& file);

}  // namespace sash
