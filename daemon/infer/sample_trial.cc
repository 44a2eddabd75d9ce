#include "daemon/infer/sample_trial.h"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <utility>

#include "connectors/codec/decoder.h"
#include "connectors/codec/edge_fields.h"
#include "connectors/codec/key_watch.h"
#include "connectors/replay/file_records.h"
#include "daemon/infer/csv_dialect.h"
#include "daemon/infer/sample_table.h"
#include "daemon/probe/sample.h"

namespace sash {
namespace {

void NoteRefusal(const Row& row, const Refused& refused, SampleTrial& trial) {
  const bool is_weight =
      refused.detail.starts_with(Name(MappedField::kWeight)) && trial.first_wrong_weight.empty();
  if (!trial.first_refusal.empty() && !is_weight) return;
  const std::string text =
      fmt::format("line {}: {}: {}", row.line, Name(refused.reason), refused.detail);
  if (trial.first_refusal.empty()) trial.first_refusal = text;
  if (is_weight) trial.first_wrong_weight = text;
}

void NoteFirst(const EventBatch& batch, const FormatSpec& format, SampleTrial& trial) {
  const EdgeEvent& event = batch.events().front();
  trial.first_record = batch.Text(event.payload);
  trial.first_edge = EdgeText(event, batch, format.keys);
  trial.first_time = event.time;
}

}  // namespace

Result<SampleTrial> TrySample(const SourceConfig& source, std::string_view text) {
  const FormatSpec& format = source.format;
  RowSplitter rows = RowsOf(format, text);
  std::optional<Row> header;
  if (HasHeader(format)) header = rows.Next();
  const std::string header_text(header ? header->text : std::string_view());
  Result<std::unique_ptr<Decoder>> decoder = MakeDecoder(format, header_text);
  if (!decoder.ok()) return std::move(decoder).error();
  rows.set_line_judge(decoder.value()->line_judge());
  SampleTrial trial;
  KeyWatch watch(format.keys);
  const bool has_times = format.time_origin == TimeOrigin::kField;
  while (trial.records < kMostSampleRecords) {
    const std::optional<Row> row = rows.Next();
    if (!row) break;
    const RecordPlace place{.partition = 0,
                            .offset = static_cast<std::int64_t>(trial.records++),
                            .time = SystemClock().Now()};
    EventBatch batch;
    const std::optional<Refused> refused = decoder.value()->Decode(row->text, place, batch);
    if (refused) NoteRefusal(*row, *refused, trial);
    if (refused || batch.events().empty()) continue;
    if (trial.edges++ == 0) NoteFirst(batch, format, trial);
    if (has_times) trial.times.push_back(batch.events().front().time);
    watch.Look(batch);
  }
  trial.warnings = watch.Warnings();
  return trial;
}

}  // namespace sash
