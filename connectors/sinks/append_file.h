// AppendFile: a file, pipe or terminal to which whole lines are appended.
//
// Thread safety: none; the owner serialises.
//
// Invariants
//   (1) A regular file contains only whole appends: an append that could not be written completely
//       is cut off again, immediately or before the next append.
//   (2) On a stream (a pipe, a terminal, /dev/...), an append that was begun is finished before the
//       next one begins.
//   (3) A regular file is locked while it is open: two writers would cut each other's lines.
//   (4) If the reader of a stream is gone, the result is an error, never a SIGPIPE.
//   (5) Opening does not change the content of a file.
//   (6) If the reader of a stream takes nothing, a call waits no longer than SetPatience() allows.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "windows/base/result.h"

namespace sash {

// Identifies a file independently of its names. A file system may reuse an inode number; the birth
// time (nanoseconds; 0: unknown) distinguishes the two files.
struct FileMark {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::int64_t born = 0;
  friend bool operator==(const FileMark&, const FileMark&) = default;
};

// The mark of the file at `path`; {} when there is none.
FileMark MarkOfFile(const std::string& path);

// Whether an open file is still at its path.
enum class FilePlace : std::uint8_t {
  kThere,    // the path leads to this file
  kMoved,    // the file has another name; the path leads to another file, or nowhere
  kDeleted,  // the file has no name any more
};

// Whether `path` is a descriptor of this process: /dev/stdout, /dev/stderr, /dev/fd/N.
bool IsOwnDescriptor(std::string_view path);

class AppendFile {
 public:
  // Creates the file, but not its folder. The process's own descriptors (IsOwnDescriptor) are
  // always streams.
  static Result<AppendFile> Open(const std::string& path);

  // A stream that writes to a copy of `descriptor`.
  static Result<AppendFile> Over(int descriptor, const std::string& name);

  // How long a call waits for a stream that takes nothing. Default: 250 ms. Negative: no limit.
  void SetPatience(std::chrono::milliseconds patience) { patience_ = patience; }

  AppendFile(AppendFile&& other) noexcept;
  AppendFile& operator=(AppendFile&& other) noexcept;
  ~AppendFile();

  const std::string& path() const { return path_; }
  bool regular() const { return regular_; }

  // Bytes; 0 for a stream.
  std::uint64_t size() const;

  // For regular files. If the path cannot be checked now, the result is kThere.
  FilePlace place() const;
  FileMark mark() const;

  // After an error, a regular file contains nothing of `text`. A stream that takes only a part of
  // `text` gets the rest first at the next call (2): this call succeeds, and a later one returns
  // the error.
  Status Append(std::string_view text);

  // Appends what another regular file contains from `offset` on. After an error, a part of it may
  // be appended.
  Status AppendFrom(const AppendFile& other, std::uint64_t offset);

  // Makes all appended text durable. A stream only gets the unfinished rest of an append.
  Status Sync();

  // Regular files only.
  Status CutTo(std::uint64_t size);
  Result<std::size_t> Read(std::uint64_t offset, std::span<char> into) const;
  Status RenameTo(const std::string& path);
  void CopyModeTo(const AppendFile& other) const;

 private:
  AppendFile(int descriptor, std::string path, bool regular)
      : descriptor_(descriptor), path_(std::move(path)), regular_(regular) {}

  static Result<AppendFile> OpenStream(const std::string& path);
  static Result<AppendFile> OpenRegular(const std::string& path);
  Error Failure(std::string_view attempt, int code) const;
  Status AppendToFile(std::string_view text);
  Status AppendToStream(std::string_view text);

  int descriptor_ = -1;
  std::string path_;
  bool regular_ = false;
  std::chrono::milliseconds patience_{250};
  std::string unfinished_;                  // streams: the rest of an append that was begun
  std::optional<std::uint64_t> cut_first_;  // regular files: a cut that has failed so far
};

}  // namespace sash
