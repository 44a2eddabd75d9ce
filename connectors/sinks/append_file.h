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
//   (5) Opening changes nothing that a file holds.
//   (6) A stream whose reader takes nothing holds nobody for longer than the patience with it.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "windows/base/result.h"

namespace sash {

// Which file it is, whatever its names are. A number is given to another file once nothing has it;
// the time of birth (nanoseconds; 0: unknown) tells them apart.
struct FileMark {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::int64_t born = 0;
  friend bool operator==(const FileMark&, const FileMark&) = default;
};

// Of the file that `path` leads to; {} when there is none.
FileMark MarkOfFile(const std::string& path);

// What has become of a file that is open.
enum class FilePlace : std::uint8_t {
  kThere,    // its path leads to it
  kMoved,    // it has another name; its path leads to another file, or nowhere
  kDeleted,  // it has no name any more
};

// Whether `path` is a descriptor of this process: /dev/stdout, /dev/stderr, /dev/fd/N.
bool IsOwnDescriptor(std::string_view path);

class AppendFile {
 public:
  // Creates the file, but no folder. The process's own descriptors are streams whatever they lead
  // to.
  static Result<AppendFile> Open(const std::string& path);

  // A stream over a copy of `descriptor`.
  static Result<AppendFile> Over(int descriptor, const std::string& name);

  // How long a stream is waited for that takes nothing; a quarter of a second unless set,
  // for ever when it is negative.
  void SetPatience(std::chrono::milliseconds patience) { patience_ = patience; }

  AppendFile(AppendFile&& other) noexcept;
  AppendFile& operator=(AppendFile&& other) noexcept;
  ~AppendFile();

  const std::string& path() const { return path_; }
  bool regular() const { return regular_; }

  // Bytes; 0 for a stream.
  std::uint64_t size() const;

  // Of a regular file. What cannot be looked at now is taken to be there.
  FilePlace place() const;
  FileMark mark() const;

  // After an error nothing of `text` is in a regular file. A stream may have taken its first part;
  // then it has taken all of it (2), and the error comes from the next call.
  Status Append(std::string_view text);

  // Makes everything appended durable, as far as a stream can.
  Status Sync();

  // Regular files only.
  Status CutTo(std::uint64_t size);
  Status CutTornLine(std::string_view head);  // refuses a tail that does not begin like `head`
  // The first line, without its end; at most its first 64 KiB.
  Result<std::string> FirstLine() const;
  Result<std::size_t> Read(std::uint64_t offset, std::span<char> into) const;
  // Each whole line, without its end, until `visit` returns an error, which is then returned.
  Status ReadLines(const std::function<Status(std::string_view)>& visit) const;
  // Empties the file, unless its first line, which is_ours() is asked of, is not ours: nothing else
  // is lost but what this process, or one before it, has written.
  Status Empty(std::string_view head, const std::function<bool(std::string_view)>& is_ours);
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
  std::string unfinished_;                  // streams: the rest of what was begun
  std::optional<std::uint64_t> cut_first_;  // regular: a cut that did not succeed yet
};

}  // namespace sash
