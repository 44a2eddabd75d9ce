// FileTrail: which file the lines of a sink went to last, and what it had written to files before
// that one, kept beside the file (.NAME.held), so that nothing is written twice when the file is
// moved away (as logrotate does) and the process then ends.
//
// Lines that a file has itself are not listed: they are read there. Nor is anything of a file that
// was deleted: what was in it alone must be written again.
//
// Thread safety: none; the owner serialises.
//
// Invariants
//   (1) A trail on disk is whole: a new one is synced, then renamed into place.
//   (2) A file that was not written by this class is neither used nor replaced.
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
  // Of the file at `path`. kCorruption: what is in its place is something else.
  static Result<FileTrail> Read(const std::string& path);

  static std::string PathFor(const std::string& path);

  // The file that lines went to last; none: nothing is known.
  const std::optional<FileMark>& file() const { return file_; }
  // Names of what is in files that were moved away.
  const std::set<std::string>& moved() const { return moved_; }

  // From now on lines go to `file`.
  Status Follow(const FileMark& file, std::set<std::string> moved);

  // There is nothing to know any more.
  void Remove() const;

 private:
  explicit FileTrail(std::string path) : path_(std::move(path)) {}

  std::string path_;
  std::optional<FileMark> file_;
  std::set<std::string> moved_;
};

// Where a file is that was at `path` before: in the same folder, or in one within that.
std::optional<std::string> FindMoved(const std::string& path, const FileMark& file);

}  // namespace sash
