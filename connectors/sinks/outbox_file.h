// OutboxFile: one file of an outbox, a list of sealed lines (outbox_line.h).
//
// Thread safety: none; the owner serialises.
//
// Invariants
//   (1) A line is at the place that its seal says. When another process has cut the file, nothing
//       more is written to it.
//   (2) A line whose bytes differ from those that were written is never read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "connectors/sinks/durable_lines.h"
#include "windows/base/result.h"

namespace sash {

class OutboxFile {
 public:
  // A line that was read or added. Bytes.
  struct Line {
    std::uint64_t begin = 0;             // its offset
    std::uint32_t whole = 0;             // its length, with seal and line end
    std::vector<std::uint32_t> lengths;  // of its messages (MessageLengths)
  };
  struct DamagedLine {
    std::uint64_t number = 0;  // in the file, from 1
    std::string text;
  };
  struct Contents {
    std::vector<Line> lines;
    std::vector<DamagedLine> damaged;
  };

  // Opens or creates the file, reads its lines into `contents` and cuts a torn last line. Every
  // line begins with `head`. `discard`: empties the file first. Refuses a file that no outbox
  // wrote, and leaves it unchanged.
  static Result<OutboxFile> Open(const std::string& path, std::string_view head, bool discard,
                                 Contents& contents);

  const std::string& path() const { return lines_.file().path(); }
  std::uint64_t end() const { return lines_.end(); }              // the offset of the next line
  std::size_t kept_bytes() const { return lines_.kept_bytes(); }  // in memory, not durable
  bool is_cut() const { return lines_.is_cut(); }                 // by another process

  // Adds a line with these messages (`lengths`: MessageLengths), in memory. Never fails.
  Line Add(std::string messages, std::vector<std::uint32_t> lengths);
  Status Write() { return lines_.Write(); }  // the lines that are not in the file yet
  Status Sync() { return lines_.Sync(); }
  Status Clear() { return lines_.Clear(); }

  // The line at this offset, if it is still in memory.
  const std::string* InMemory(std::uint64_t begin) const { return lines_.At(begin); }
  // Reads a line from the disk into `line`. Returns whether its bytes are those that were written.
  Result<bool> Read(std::uint64_t begin, std::uint32_t whole, std::string& line) const;

  // For a file that another process has cut: forgets the lines that are only in memory, cuts the
  // file behind its last line that is at its place, and returns its new size.
  Result<std::uint64_t> KeepSound();

  // When another process has moved or deleted the file: creates it again with the content of the
  // file that is still open, and returns true.
  Result<bool> CreateIfGone();

 private:
  OutboxFile(DurableLines lines, std::string head);

  Result<std::uint64_t> SoundBytes() const;

  DurableLines lines_;
  std::string head_;
  std::string name_;  // without the folder
};

}  // namespace sash
