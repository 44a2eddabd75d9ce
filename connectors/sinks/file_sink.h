// FileSink: appends one JSON line to a file for each run of its jobs: the result, or the changes;
// or for each alert; or a line for each row of the result, as JSON or CSV.
//
// Thread safety: like ResultSink; any thread may read the counters and call Look().
//
// Invariants
//   (1) The file contains only whole lines, and all rows of a result or none: the rows of a result
//       are one append. ResultFile keeps the lines and follows the file.
//   (2) A replay commits nothing and does not keep durable lines: if its file is lost, Flush()
//       fails, and the replay must be run again.
//   (3) At most kBacklogBytes wait in memory. Beyond that, the oldest lines are dropped and
//       counted, and every later Flush() of the process fails. So nothing is committed past them,
//       and a restart produces and writes them.
//   (4) Flush() succeeds when every delivered result is in the file at the path, or was there at an
//       earlier successful Flush().
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "connectors/sinks/alert_receiver.h"
#include "connectors/sinks/chosen_results.h"
#include "connectors/sinks/result_file.h"
#include "connectors/sinks/sink_spec.h"
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
  void DeliverPast(const CompletedRun& run, std::vector<PastDelivery>& deliveries) override;
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
  FileSink(const FileSinkSpec& spec, const VertexDictionary& keys, ResultFile file,
           std::size_t backlog_bytes)
      : spec_(spec), chosen_(spec, keys), backlog_bytes_(backlog_bytes), file_(std::move(file)) {}

  // kLeftOut: nothing is written for the result.
  PastDelivery::State Take(const CompletedRun& run) SASH_REQUIRES(mutex_);
  bool HasRoom() SASH_REQUIRES(mutex_);
  // What is written for a result; nothing if it was not chosen, or `admits` refuses it.
  std::optional<std::string> LinesFor(const CompletedRun& run,
                                      const std::function<bool()>& admits) const;
  std::string Line(std::string json) const;
  void Write(std::uint64_t advance, const ResultIdentity& result, std::string lines)
      SASH_REQUIRES(mutex_);
  Status MakeDurable() SASH_REQUIRES(mutex_);
  void NoteCounts() SASH_REQUIRES(mutex_);

  const FileSinkSpec spec_;
  ChosenResults chosen_;
  const std::size_t backlog_bytes_;
  std::atomic<std::uint64_t> written_total_ = 0;
  std::atomic<std::uint64_t> repeated_ = 0;
  std::atomic<std::uint64_t> dropped_ = 0;

  Mutex mutex_;  // held while writing
  ResultFile file_ SASH_GUARDED_BY(mutex_);
};

}  // namespace sash
