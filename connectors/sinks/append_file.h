// AppendFile: a file, pipe or terminal to which whole lines are appended.
//
// Thread safety: none; the owner serialises.
//
// Invariants
//   (1) A regular file only ever holds whole appends: one that could not be written entirely is cut
//       off again, at once or before the next one.
//   (2) To a stream (a pipe, a terminal, /dev/...) what was begun is finished before anything else.
//   (3) A regular file is locked while it is open: two writers would cut each other's lines.
//   (4) A reader that went away is an error, never a SIGPIPE.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "windows/base/result.h"

namespace sash {

class AppendFile {
 public:
  // Creates the file, but no folder. /dev/stdout, /dev/stderr and /dev/fd/N are the process's own
  // descriptors, and streams whatever they lead to. `truncate` empties a regular file.
  static Result<AppendFile> Open(const std::string& path, bool truncate);

  // A stream over a copy of `descriptor`.
  static Result<AppendFile> Over(int descriptor, const std::string& name);

  AppendFile(AppendFile&& other) noexcept;
  AppendFile& operator=(AppendFile&& other) noexcept;
  ~AppendFile();

  const std::string& path() const { return path_; }
  bool regular() const { return regular_; }

  // Bytes; 0 for a stream.
  std::uint64_t size() const;

  // After an error nothing of `text` is in a regular file. A stream may have taken its first part;
  // then it has taken all of it (2), and the error comes from the next call.
  Status Append(std::string_view text);

  // Makes everything appended durable, as far as a stream can.
  Status Sync();

  // Regular files only.
  Status CutTo(std::uint64_t size);
  Status CutTornLine(std::string_view head);  // refuses a tail that does not begin like `head`
  Result<std::size_t> Read(std::uint64_t offset, std::span<char> into) const;
  Status RenameTo(const std::string& path);
  void CopyModeTo(const AppendFile& other) const;

 private:
  AppendFile(int descriptor, std::string path, bool regular)
      : descriptor_(descriptor), path_(std::move(path)), regular_(regular) {}

  static Result<AppendFile> OpenStream(const std::string& path);
  static Result<AppendFile> OpenRegular(const std::string& path, bool truncate);
  Error Failure(std::string_view attempt, int code) const;
  Status AppendToFile(std::string_view text);
  Status AppendToStream(std::string_view text);

  int descriptor_ = -1;
  std::string path_;
  bool regular_ = false;
  std::string unfinished_;                  // streams: the rest of what was begun
  std::optional<std::uint64_t> cut_first_;  // regular: a cut that did not succeed yet
};

}  // namespace sash
