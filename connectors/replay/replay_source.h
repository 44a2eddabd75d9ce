// ReplaySource: files, one after the other, or standard input as a finite stream of one partition.
//
// They are topic "replay", partition 0. An offset is the number of the data row, from 0: refused
// rows count, the header and lines that are skipped do not. Offsets go on from file to file. Each
// file has its own header; with several files, an empty one needs none. The source sends
// end_of_source only if it read all input to its end. If reading fails earlier, it reports this in
// status().failure (and not_ready) and sends nothing more, so that incomplete windows are never
// published as final.
//
// With named CSV columns, Start() reads the first header and waits for it up to `header_patience`
// (a pipe may be slow). If that header arrives later and is wrong, or the header of a later file is
// wrong, the source fails; Start() has already returned without an error.
//
// Thread safety: like Source. The source has its own reading thread.
//
// Invariants
//   (1) The speed of the input does not change the events, only how they are split into batches.
//   (2) For every input, it keeps at most a block, a row, a batch, and the events that wait for the
//       decision about an event in doubt (OutlierGuard).
//   (3) Rows that were read are pushed to the queue within RowIntake::kFlushAfter, unless the queue
//       is full, or the pace, memory (StreamProgress) or an event in doubt delays them.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>

#include "connectors/codec/decoder.h"
#include "connectors/codec/format_spec.h"
#include "connectors/codec/next_judging.h"
#include "connectors/finite_reading.h"
#include "connectors/replay/file_sequence.h"
#include "connectors/replay/input_file.h"
#include "connectors/replay/replay_spec.h"
#include "connectors/replay/row_intake.h"
#include "windows/base/clock.h"
#include "windows/base/mutex.h"
#include "windows/ingest/batch_queue.h"
#include "windows/ingest/partition_table.h"
#include "windows/ingest/source.h"

namespace sash {

class ReplaySource final : public Source {
 public:
  // All references must outlive the source. It uses only the memory limits of `progress`: the only
  // partition also determines the watermark, so it never runs ahead.
  ReplaySource(ReplaySpec spec, FormatSpec format, PartitionTable& partitions, BatchQueue& queue,
               RefusalSink& refusals, const Clock& clock, const StreamProgress& progress,
               std::chrono::milliseconds header_patience = std::chrono::seconds(5));
  ~ReplaySource() override { Stop(); }

  Status Start() override;
  void Stop() override;
  void Commit(const RewindPoint&) override {}  // a replay always begins at the beginning
  SourceStatus status() const override;
  // The error is kUnavailable while the header of the first file has not been read.
  Result<Switch> PrepareFilters(FilterSetPtr filters) override;

 private:
  enum class Progress : std::uint8_t { kGoOn, kEnd, kStopped };

  Progress EndFile(const std::stop_token& stop);
  Status AwaitHeader();
  Status TakeHeader();
  bool JudgeByNext();
  InputFile::Outcome ReadBlock(std::chrono::milliseconds patience);
  void Run(const std::stop_token& stop);
  Progress ReadOn(const std::stop_token& stop);
  bool DecodeRows(const std::stop_token& stop);

  const ReplaySpec spec_;
  const FormatSpec first_format_;  // with the filters of the first windows
  const Clock& clock_;
  const std::chrono::milliseconds header_patience_;

  // Used by the reading thread, and by Start() before that thread begins.
  FormatSpec format_;
  FileSequence files_;
  RowIntake intake_;

  std::atomic<std::uint64_t> bytes_ = 0;
  NextJudging next_judging_;
  Mutex mutex_;
  std::optional<std::string> header_
      SASH_GUARDED_BY(mutex_);  // of the newest file, once it is read

  FiniteReading reading_;  // last: its thread uses the rest
};

}  // namespace sash
