// DurableLines: lines appended to a file, each kept in memory until it is durable.
//
// Thread safety: none; the owner serialises.
//
// Invariants
//   (1) A regular file contains only whole lines: the durable lines, then newer lines, in order.
//   (2) After a failed sync, the file is cut to its durable part, and all later lines are written
//       again at the next opportunity: the system may have dropped the pages that it could not
//       write, and the next sync would not report it.
//   (3) For a stream (pipe, terminal), a line is released once the stream has taken it.
//   (4) A line keeps its offset: when it is written again, it gets the same place. This does not
//       hold for lines with a header.
//   (5) A line may bring a header, which its file has once, at its beginning. It is written to no
//       file with another header. A stream gets a header that is not its newest one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

#include "connectors/sinks/append_file.h"
#include "windows/base/result.h"

namespace sash {

class DurableLines {
 public:
  // `header`: the one that the file has, with its line end.
  explicit DurableLines(AppendFile file, std::string header = {})
      : file_(std::move(file)), header_(std::move(header)), durable_size_(file_.size()) {}

  const AppendFile& file() const { return file_; }

  // Whether another process has cut the file: it is shorter than what was written to it.
  bool is_cut() const { return file_.regular() && file_.size() < durable_size_ + in_file_bytes_; }

  // Adds a line, with its line end, to memory. Never fails; Write() writes it to the file. The
  // first `header_bytes` of it are its header.
  void Add(std::string line, std::size_t header_bytes = 0);

  // Writes the lines that are not in the file yet. After an error, the next call tries again.
  Status Write();

  // Write(), and makes everything durable.
  Status Sync();

  // Drops the oldest line. Returns false if that line is in the file already or there is no line.
  bool DropOldest();

  // The size of the file, even after another process cut it, minus the lines that are written and
  // not yet durable.
  std::uint64_t size_before_written() const {
    return file_.size() - std::min(file_.size(), in_file_bytes_);
  }

  // Gives the file away, cut to its first `size` bytes if it is longer. Do not use this object
  // after the call.
  AppendFile TakeFile(std::uint64_t size);

  // Removes all lines from memory and from a regular file. If cutting the file fails, it is cut
  // before the next line.
  Status Clear();

  std::uint64_t end() const { return durable_size_ + kept_bytes_; }   // offset of the next line
  std::size_t kept_bytes() const { return kept_bytes_; }              // in memory, not durable
  std::size_t unwritten() const { return lines_.size() - in_file_; }  // lines not in the file
  std::uint64_t written() const { return written_; }  // total of lines that reached the file

  // The line that begins at `offset` of a regular file, if it is still in memory.
  const std::string* At(std::uint64_t offset) const;

 private:
  struct Line {
    std::uint64_t begin = 0;  // the offset in the file if no line had been dropped
    std::string text;
    std::size_t header_bytes = 0;  // of text
  };

  // The text of `line` to write now: with its header, or without.
  Result<std::string_view> TextToWrite(const Line& line);
  void ForgetOldest();

  AppendFile file_;
  std::string header_;       // of the file
  std::deque<Line> lines_;   // oldest first
  std::size_t in_file_ = 0;  // the number of first lines that are in the file, not yet durable
  std::uint64_t in_file_bytes_ = 0;
  std::size_t kept_bytes_ = 0;
  std::uint64_t durable_size_ = 0;   // of the file
  std::uint64_t dropped_bytes_ = 0;  // of lines that will never be in the file
  std::uint64_t written_ = 0;
};

}  // namespace sash
