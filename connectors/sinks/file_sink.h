// FileSink: appends one JSON line for each run of its jobs to a file: its result, or what changed.
//
// Thread safety: like ResultSink; the counters and Look() may be used by any thread.
//
// Invariants
//   (1) The file holds whole lines only. At start a torn last line is cut.
//   (2) A result that the file holds at start is not written again; a file with other lines than
//       results is refused and left as it was, by a replay too.
//   (3) A line stays in memory until it is durable (DurableLines), and, within bounds, until a
//       commit covers it (UnacknowledgedResults). In a replay nothing is committed, and a durable
//       line is not kept: when its file is lost, Flush() fails, and the replay is to be run again.
//   (4) At most kBacklogBytes wait. Beyond, the oldest lines are dropped and counted, and Flush()
//       fails for the rest of the process's life: nothing is committed past them, and after a
//       restart they are produced and written.
//   (5) A stream (pipe, terminal, /dev/stdout) is neither read nor cut; what it took is gone.
//   (6) Flush() succeeds when what was delivered is in the file that the path leads to, or was
//       there when an earlier one succeeded. When the file is moved away, deleted or replaced, a
//       new one is begun: what was deleted and no commit covers is written again; what was moved
//       away is not, by the next process neither (FileTrail).
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

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

class FileSink final : public ResultSink {
 public:
  static constexpr std::size_t kBacklogBytes = 64 << 20;

  // `keys` and `log` outlive the sink. A replay empties the file.
  static Result<std::unique_ptr<FileSink>> Open(const FileSinkSpec& spec,
                                                const VertexDictionary& keys, bool replay,
                                                EventLog& log,
                                                std::size_t backlog_bytes = kBacklogBytes);

  void Deliver(const CompletedRun& run) override;
  bool Compares(const JobSpec& job) const override { return chosen_.Compares(job); }
  void Recall(const CompletedRun& run) override { chosen_.Recall(run); }
  void Complete(const AdvanceReport&) override {}
  Status Flush() override;
  void Acknowledged(std::uint64_t advances) override;

  // Begins a new file when this one was moved away or deleted. Waits for nobody: while results are
  // written, that is looked at anyway.
  void Look();

  std::uint64_t written() const { return written_total_; }  // lines that reached the file
  std::uint64_t repeated() const { return repeated_; }      // results that it held already
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

  Status Resume() SASH_REQUIRES(mutex_);
  void ResumeFromMoved(const FileMark& last) SASH_REQUIRES(mutex_);
  bool IsThere() const SASH_REQUIRES(mutex_);
  Status MakeDurable() SASH_REQUIRES(mutex_);
  Status FollowFile() SASH_REQUIRES(mutex_);
  void WriteAnew(AppendFile file) SASH_REQUIRES(mutex_);
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
  std::uint64_t confirmed_size_ SASH_GUARDED_BY(mutex_) = 0;  // of the file, by the last Flush()
  std::uint64_t written_before_ SASH_GUARDED_BY(mutex_) = 0;  // lines, to files before this one
  HeldResults held_ SASH_GUARDED_BY(mutex_);                  // by the file
  HeldResults moved_ SASH_GUARDED_BY(mutex_);                 // by files that were moved away
  UnacknowledgedResults unacknowledged_ SASH_GUARDED_BY(mutex_);
  std::optional<FileTrail> trail_ SASH_GUARDED_BY(mutex_);  // none in replays, and of streams
};

}  // namespace sash
