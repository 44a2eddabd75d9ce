// FileSink: appends one JSON line to a file for each run of its jobs: the result, or the changes;
// or for each alert; or a line for each row of the result, as JSON or CSV.
//
// Thread safety: like ResultSink; any thread may read the counters and call Look().
//
// Invariants
//   (1) The file contains only whole lines, and all rows of a result or none. At the start a torn
//       last line is cut, and so are the last rows if others of their result are missing.
//   (2) A result that the file contains at the start is not written again. A file with lines that
//       are not results is refused and left unchanged, also by a replay.
//   (3) A line stays in memory until it is durable (DurableLines), and, within limits, until a
//       commit covers it (UnacknowledgedResults). A replay commits nothing and does not keep
//       durable lines: if its file is lost, Flush() fails, and the replay must be run again.
//   (4) At most kBacklogBytes wait in memory. Beyond that, the oldest lines are dropped and
//       counted, and every later Flush() of the process fails. So nothing is committed past them,
//       and a restart produces and writes them.
//   (5) A stream (pipe, terminal, /dev/stdout) is neither read nor cut; what it took is released.
//   (6) Flush() succeeds when every delivered result is in the file at the path, or was there at an
//       earlier successful Flush(). When the file is moved away, deleted or replaced, a new file is
//       begun. Results of a deleted file that no commit covers are written again. Results of a file
//       that was moved away are not written again, not even after a restart (FileTrail).
//   (7) The rows of a result are one append. They go through (3) to (6) together, like one line.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "connectors/sinks/alert_receiver.h"
#include "connectors/sinks/append_file.h"
#include "connectors/sinks/chosen_results.h"
#include "connectors/sinks/durable_lines.h"
#include "connectors/sinks/file_trail.h"
#include "connectors/sinks/held_results.h"
#include "connectors/sinks/sink_spec.h"
#include "connectors/sinks/unacknowledged_results.h"
#include "windows/base/event_log.h"
#include "windows/base/mutex.h"
#include "windows/base/result.h"
#include "windows/ingest/vertex_dictionary.h"
#include "windows/jobs/result_sink.h"

namespace sash {

class FileSink final : public ResultSink, public AlertReceiver {
 public:
  static constexpr std::size_t kBacklogBytes = 64 << 20;

  // `keys` and `log` must outlive the sink. A replay empties the file.
  static Result<std::unique_ptr<FileSink>> Open(const FileSinkSpec& spec,
                                                const VertexDictionary& keys, bool replay,
                                                EventLog& log,
                                                std::size_t backlog_bytes = kBacklogBytes);

  void Deliver(const CompletedRun& run) override;
  // The line is left out while more than half of the backlog waits.
  bool DeliverPartial(const CompletedRun& run) override;
  // Not taken while more than half of the backlog waits.
  void DeliverPast(const CompletedRun& run, std::vector<PastDelivery>& told) override;
  void Complete(const AdvanceReport&) override {}
  void Notify(std::uint64_t advance, const AlertMessage& alert) override;
  Status Flush() override;
  void Acknowledged(std::uint64_t advances) override;

  // Begins a new file if this one was moved away or deleted. Does nothing while another thread
  // holds the lock: writing results does the same check.
  void Look();

  // Results and alerts that reached the file, and those that were already written.
  std::uint64_t written() const { return written_total_; }
  std::uint64_t repeated() const { return repeated_; }
  std::uint64_t dropped() const { return dropped_; }

 private:
  FileSink(const FileSinkSpec& spec, const VertexDictionary& keys, EventLog& log, AppendFile file,
           bool replay, std::size_t backlog_bytes)
      : spec_(spec),
        chosen_(spec, keys),
        log_(log),
        backlog_bytes_(backlog_bytes),
        lines_(std::move(file)),
        unacknowledged_(replay ? kNothingKept : UnacknowledgedResults::Limits()) {}

  static constexpr UnacknowledgedResults::Limits kNothingKept{.results = 0, .bytes = 0};

  // kLeftOut: nothing is written for the result.
  PastDelivery::State Take(const CompletedRun& run) SASH_REQUIRES(mutex_);
  bool HasRoom() SASH_REQUIRES(mutex_);
  Status Resume() SASH_REQUIRES(mutex_);
  // What is written for a result; nothing if it was not chosen, or `admits` refuses it.
  std::optional<std::string> LinesFor(const CompletedRun& run,
                                      const std::function<bool()>& admits) const;
  std::string Line(std::string json) const;
  std::size_t HeaderBytes(std::string_view lines) const;
  // Where a result or alert is already; otherwise it counts as in the file from now on.
  std::optional<UnacknowledgedResults::Where> PlaceOf(const ResultIdentity& result)
      SASH_REQUIRES(mutex_);
  void Write(std::uint64_t advance, const ResultIdentity& result, std::string lines)
      SASH_REQUIRES(mutex_);
  void ResumeFromMoved(const FileMark& last) SASH_REQUIRES(mutex_);
  bool IsThere() const SASH_REQUIRES(mutex_);
  Status MakeDurable() SASH_REQUIRES(mutex_);
  Status FollowFile() SASH_REQUIRES(mutex_);
  void ContinueIn(AppendFile file, std::string header) SASH_REQUIRES(mutex_);
  void KeepTrail() SASH_REQUIRES(mutex_);

  const FileSinkSpec spec_;
  ChosenResults chosen_;
  EventLog& log_;
  const std::size_t backlog_bytes_;
  std::atomic<std::uint64_t> written_total_ = 0;
  std::atomic<std::uint64_t> repeated_ = 0;
  std::atomic<std::uint64_t> dropped_ = 0;

  Mutex mutex_;  // held while writing
  DurableLines lines_ SASH_GUARDED_BY(mutex_);
  std::uint64_t confirmed_size_ SASH_GUARDED_BY(mutex_) = 0;  // of the file at the last Flush()
  std::uint64_t written_before_ SASH_GUARDED_BY(mutex_) = 0;  // in earlier files
  HeldResults held_ SASH_GUARDED_BY(mutex_);                  // results in the file
  HeldResults moved_ SASH_GUARDED_BY(mutex_);                 // results in files moved away
  UnacknowledgedResults unacknowledged_ SASH_GUARDED_BY(mutex_);
  std::optional<FileTrail> trail_ SASH_GUARDED_BY(mutex_);  // none for replays and for streams
};

}  // namespace sash
