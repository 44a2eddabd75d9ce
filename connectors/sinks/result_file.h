// ResultFile: the file at a path to which results and alerts are appended, and what is known of the
// results in it. It follows the path: when other processes move the file away, delete it or cut it,
// it goes on in a new file, or in what is left.
//
// Thread safety: none; FileSink serialises.
//
// Invariants
//   (1) The file contains only whole additions. When it is opened, a torn last line is cut, and so
//       are the last rows if others of their result are missing.
//   (2) A result that the file contains when it is opened is not new (PlaceOf()). A file with lines
//       that are not results is refused and left unchanged, also by a replay.
//   (3) An addition stays in memory until it is durable (DurableLines), and, within limits, until
//       Cover() (UnacknowledgedResults); a replay does not keep it for so long.
//   (4) A stream (pipe, terminal, /dev/stdout) is neither read nor cut; what it took is released.
//   (5) When the file is moved away, deleted or replaced, a new file is begun. Results of a deleted
//       file that no commit covers are written again. Results of a file that was moved away are not
//       written again, not even after a restart (FileTrail).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "connectors/sinks/append_file.h"
#include "connectors/sinks/durable_lines.h"
#include "connectors/sinks/file_trail.h"
#include "connectors/sinks/held_results.h"
#include "connectors/sinks/result_key.h"
#include "connectors/sinks/sink_spec.h"
#include "connectors/sinks/unacknowledged_results.h"
#include "connectors/sinks/written_results.h"
#include "windows/base/event_log.h"
#include "windows/base/result.h"

namespace sash {

class ResultFile {
 public:
  using Where = UnacknowledgedResults::Where;

  // A replay empties the file. `log` must outlive the object.
  static Result<ResultFile> Open(const FileSinkSpec& spec, bool replay, EventLog& log);

  bool regular() const { return lines_.file().regular(); }

  // Where a result or alert is already; otherwise it counts as in the file from now on.
  std::optional<Where> PlaceOf(const ResultIdentity& result);
  // The result, which is there already, is produced again, on the advance of this number.
  void Repeat(std::uint64_t advance, const ResultIdentity& result, Where where);

  // Adds what is written for a result, with line ends, to memory: one line, or its rows. Never
  // fails.
  void Add(std::uint64_t advance, const ResultIdentity& result, std::string lines);
  // Writes what is not in the file yet. After an error, the next call tries again.
  Status Write() { return lines_.Write(); }
  // Writes everything to the file at the path, and syncs it.
  Status MakeDurable();
  // Forgets the oldest addition. False: it is in the file already, or there is none.
  bool DropOldest();

  // Whether the path leads to the file, and the file has all that was written to it.
  bool IsThere() const;

  // A commit covers all results up to the advance of this number.
  void Cover(std::uint64_t advances);

  std::size_t kept_bytes() const { return lines_.kept_bytes(); }  // in memory, not durable
  // Additions that reached a file, and those that never will.
  std::uint64_t written() const { return written_before_ + lines_.written(); }
  std::uint64_t dropped() const { return dropped_; }

 private:
  ResultFile(const FileSinkSpec& spec, bool replay, EventLog& log, AppendFile file);

  Status Resume();
  void ResumeFromMoved(const FileMark& last);
  void AddLines(std::string lines);
  Status FollowFile();
  void ContinueIn(AppendFile file, std::string header);
  void KeepTrail();

  std::string path_;
  ResultLines kind_;
  EventLog& log_;
  DurableLines lines_;
  std::uint64_t confirmed_size_ = 0;  // of the file at the last MakeDurable()
  std::uint64_t written_before_ = 0;  // in earlier files
  std::uint64_t dropped_ = 0;
  HeldResults held_;   // results in the file
  HeldResults moved_;  // results in files moved away
  UnacknowledgedResults unacknowledged_;
  std::optional<FileTrail> trail_;  // none for replays and for streams
};

}  // namespace sash
