// ReplaySource: a file or standard input as a finite stream of one partition.
//
// The file is topic "replay", partition 0; an offset is the number of the data row from 0, refused
// rows included, header and blank lines not. It ends with end_of_source, and only if it was read to
// its end: when reading fails in the middle, the source says so in status().failure (and not_ready)
// and falls silent, so that windows cut short are never published as final.
//
// With named CSV columns the header is read by Start(), which waits for it up to `header_patience`
// (a pipe may be slow); one that comes later and is wrong is a failure, not an error of Start().
//
// Thread safety: as Source says. The reading thread is the source's own.
//
// Invariants
//   (1) The events do not depend on how fast the input arrives, only their batches do.
//   (2) Whatever the input holds, no more is kept than a block, a row, a batch and what an event in
//       doubt keeps waiting (OutlierGuard).
//   (3) What has been read is on its way into the queue within kFlushAfter, unless the queue is
//       full, or the pace, memory (StreamProgress) or an event in doubt holds it back.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "connectors/codec/decoder.h"
#include "connectors/codec/format_spec.h"
#include "connectors/codec/row_splitter.h"
#include "connectors/replay/input_file.h"
#include "connectors/replay/replay_spec.h"
#include "windows/base/clock.h"
#include "windows/base/mutex.h"
#include "windows/ingest/batch_queue.h"
#include "windows/ingest/outlier_guard.h"
#include "windows/ingest/partition_table.h"
#include "windows/ingest/source.h"

namespace sash {

class ReplaySource final : public Source {
 public:
  static constexpr std::size_t kBatchEvents = 4096;
  static constexpr std::size_t kBatchBytes = 1 << 20;
  static constexpr std::size_t kBlockBytes = 256 << 10;
  static constexpr std::chrono::milliseconds kFlushAfter{50};

  // Everything referred to must outlive the source. Of `progress` only what memory allows matters:
  // the only partition is also the one that holds the watermark, so it never runs ahead.
  ReplaySource(ReplaySpec spec, FormatSpec format, PartitionTable& partitions, BatchQueue& queue,
               RefusalSink& refusals, const Clock& clock, const StreamProgress& progress,
               std::chrono::milliseconds header_patience = std::chrono::seconds(5));
  ~ReplaySource() override { Stop(); }

  Status Start() override;
  void Stop() override;
  void Commit(const RewindPoint&) override {}  // a replay always begins at the beginning
  SourceStatus status() const override;

 private:
  enum class Progress : std::uint8_t { kGoOn, kEnd, kStopped };

  Status AwaitHeader();
  Status TakeHeader();
  InputFile::Outcome ReadBlock(std::chrono::milliseconds patience);
  std::optional<std::string> WhyForeign(std::string_view block);
  void Run(const std::stop_token& stop);
  Progress ReadOn(const std::stop_token& stop);
  bool DecodeRows(const std::stop_token& stop);
  bool DecodeRow(const Row& row, const std::stop_token& stop);
  std::optional<Refused> DecodeInto(EventBatch& batch, const Row& row, const RecordPlace& place);
  void Refuse(Row row, Refused refused, std::int64_t offset);
  bool LetGo(bool at_end, const std::stop_token& stop);
  bool AwaitTurn(EventTime time, const std::stop_token& stop);
  bool Flush(const std::stop_token& stop);
  bool AwaitMemory(const std::stop_token& stop);
  bool PauseForMemory(const std::stop_token& stop);
  void Fail(std::string why);
  std::string Name() const { return spec_.path == "-" ? "standard input" : spec_.path; }

  const ReplaySpec spec_;
  const FormatSpec format_;
  BatchQueue& queue_;
  RefusalSink& refusals_;
  const Clock& clock_;
  const StreamProgress& progress_;
  const std::chrono::milliseconds header_patience_;
  const PartitionIndex partition_;

  // The reading thread's, or Start()'s before it.
  std::unique_ptr<InputFile> input_;
  std::unique_ptr<Decoder> decoder_;  // none until the header is there
  RowSplitter rows_;
  std::string head_;  // the first bytes of the input
  bool input_ended_ = false;
  std::vector<char> block_;
  OutlierGuard guard_;
  EventBatch batch_;
  SteadyTime batch_begun_;
  struct Pace {
    EventTime first_event;
    SteadyTime first_release;
  };
  std::optional<Pace> pace_;  // from the first event on

  std::atomic<std::uint64_t> records_ = 0;
  std::atomic<std::uint64_t> bytes_ = 0;
  std::atomic<bool> done_ = false;           // every row of the whole input is decoded
  std::atomic<bool> held_ = false;           // a batch waits for memory
  std::atomic<std::uint64_t> in_doubt_ = 0;  // events that wait in guard_
  mutable Mutex mutex_;
  std::string failure_ SASH_GUARDED_BY(mutex_);

  std::jthread thread_;
};

}  // namespace sash
