// DurableLines: lines appended to a file, each kept in memory until it is durable.
//
// Thread safety: none; the owner serialises.
//
// Invariants
//   (1) A regular file only ever holds whole lines of the durable ones and of those that follow
//       them, in order.
//   (2) After a failed sync the file is cut back to what is durable, and everything since is
//       written again at the next chance: the system may have let go of the pages that it could not
//       write, and would say nothing next time.
//   (3) Of a stream (pipe, terminal) a line is let go of once it was taken.
//   (4) A line keeps its place: what is written again comes to where it was.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>

#include "connectors/sinks/append_file.h"
#include "windows/base/result.h"

namespace sash {

class DurableLines {
 public:
  explicit DurableLines(AppendFile file) : file_(std::move(file)), durable_size_(file_.size()) {}

  const AppendFile& file() const { return file_; }

  // Whether somebody else has cut the file: it is shorter than what was written to it.
  bool is_cut() const { return file_.regular() && file_.size() < durable_size_ + in_file_bytes_; }

  // Takes a line with its end, whatever the disk does; Write() brings it to the file.
  void Add(std::string line);

  // Writes what is not in the file yet. After an error it is tried again at the next call.
  Status Write();

  // Write(), and makes everything durable.
  Status Sync();

  // Lets go of the oldest line, unless it is in the file; false then, and when there is none.
  bool DropOldest();

  // Of the file without the lines that are in it and not durable, wherever it was cut.
  std::uint64_t size_before_written() const {
    return file_.size() - std::min(file_.size(), in_file_bytes_);
  }

  // The file, cut to its first `size` bytes where it is longer; nothing more may be asked of this.
  AppendFile TakeFile(std::uint64_t size);

  // Empties memory and a regular file. What is left in the file after an error is cut off before
  // the next line.
  Status Clear();

  std::uint64_t end() const { return durable_size_ + kept_bytes_; }   // where the next line begins
  std::size_t kept_bytes() const { return kept_bytes_; }              // in memory, not durable
  std::size_t unwritten() const { return lines_.size() - in_file_; }  // lines not in the file
  std::uint64_t written() const { return written_; }  // lines that reached the file, ever

  // The line that begins at `offset` of a regular file, if it is still in memory.
  const std::string* At(std::uint64_t offset) const;

 private:
  struct Line {
    std::uint64_t begin = 0;  // in the file, if none had been dropped
    std::string text;
  };

  void ForgetOldest();

  AppendFile file_;
  std::deque<Line> lines_;   // oldest first
  std::size_t in_file_ = 0;  // the first so many are in the file, not yet durable
  std::uint64_t in_file_bytes_ = 0;
  std::size_t kept_bytes_ = 0;
  std::uint64_t durable_size_ = 0;   // of the file
  std::uint64_t dropped_bytes_ = 0;  // of lines that will never be in the file
  std::uint64_t written_ = 0;
};

}  // namespace sash
