// FileSink: appends one JSON line for each run of its jobs to a file: its result, or what changed.
//
// Thread safety: like ResultSink; the counters may be read from any thread.
//
// Invariants
//   (1) The file holds whole lines only. At start a torn last line is cut.
//   (2) A result that the file holds at start is not written again; a file with other lines than
//       results is refused and left as it was.
//   (3) A line stays in memory until it is durable (DurableLines).
//   (4) At most kBacklogBytes wait. Beyond, the oldest lines are dropped and counted, and Flush()
//       fails for the rest of the process's life: nothing is committed past them, and after a
//       restart they are produced and written.
//   (5) A stream (pipe, terminal, /dev/stdout) is neither read nor cut; what it took is gone.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "connectors/sinks/append_file.h"
#include "connectors/sinks/chosen_results.h"
#include "connectors/sinks/durable_lines.h"
#include "connectors/sinks/held_results.h"
#include "connectors/sinks/sink_spec.h"
#include "windows/ingest/vertex_dictionary.h"
#include "windows/jobs/result_sink.h"

namespace sash {

class FileSink final : public ResultSink {
 public:
  static constexpr std::size_t kBacklogBytes = 64 << 20;

  // `keys` outlives the sink. `truncate` (replays) empties the file.
  static Result<std::unique_ptr<FileSink>> Open(const FileSinkSpec& spec,
                                                const VertexDictionary& keys, bool truncate,
                                                std::size_t backlog_bytes = kBacklogBytes);

  void Deliver(const CompletedRun& run) override;
  bool Compares(const JobSpec& job) const override { return chosen_.Compares(job); }
  void Recall(const CompletedRun& run) override { chosen_.Recall(run); }
  void Complete(const AdvanceReport&) override {}
  Status Flush() override;

  std::uint64_t written() const { return written_total_; }  // lines that reached the file
  std::uint64_t repeated() const { return repeated_; }      // results that it held already
  std::uint64_t dropped() const { return dropped_; }

 private:
  FileSink(const FileSinkSpec& spec, const VertexDictionary& keys, AppendFile file,
           HeldResults held, std::size_t backlog_bytes);

  const FileSinkSpec spec_;
  ChosenResults chosen_;
  const std::size_t backlog_bytes_;
  DurableLines lines_;
  HeldResults held_;
  std::atomic<std::uint64_t> written_total_ = 0;
  std::atomic<std::uint64_t> repeated_ = 0;
  std::atomic<std::uint64_t> dropped_ = 0;
};

}  // namespace sash
