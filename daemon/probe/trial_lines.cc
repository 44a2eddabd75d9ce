#include "daemon/probe/trial_lines.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "connectors/sinks/time_text.h"
#include "daemon/probe/sample.h"
#include "windows/base/check.h"
#include "windows/ingest/operation_name.h"

namespace sash {

std::string TrialCounts::Summary() const {
  std::uint64_t letters = 0;
  std::string reasons;
  for (const auto& [reason, count] : refused) {
    letters += count;
    reasons += fmt::format("{}{} {}", reasons.empty() ? "" : ", ", count, reason);
  }
  std::string text = fmt::format("{} records: {} edges, {} dead letters", records, edges, letters);
  if (letters > 0) text += fmt::format(" ({})", reasons);
  if (filtered > 0) text += fmt::format(", {} filtered", filtered);
  return text;
}

void TrialLines::Add(std::uint64_t line, const RecordVerdict& verdict, const EventBatch& batch,
                     Decoder& decoder) {
  ++counts_.records;
  watch_.Look(batch);
  if (verdict.kind == RecordVerdict::Kind::kDecodes) return WriteEdges(line, batch, decoder);
  JsonText json;
  json.BeginObject().Key("line").Unsigned(line).Key("becomes");
  switch (verdict.kind) {
    case RecordVerdict::Kind::kRefused:
      ++counts_.refused[verdict.reason];
      json.Text("dead_letter").Key("reason").Text(verdict.reason);
      json.Key("detail").Text(verdict.detail);
      break;
    case RecordVerdict::Kind::kFiltered:
      ++counts_.filtered;
      json.Text("nothing").Key("reason").Text("where");
      break;
    case RecordVerdict::Kind::kUnmapped:
      json.Text("nothing").Key("reason").Text("no mapping takes the topic " + topic_);
      break;
    case RecordVerdict::Kind::kDecodes:
    case RecordVerdict::Kind::kIgnored:
      SASH_CHECK(false);  // a row has a value, so it is not a tombstone
  }
  lines_ += std::move(json.EndObject()).Take() + '\n';
  WriteEdges(line, batch, decoder);  // those of a record that are not refused
}

// One line for each edge of a record. Edges that are left out have none.
void TrialLines::WriteEdges(std::uint64_t line, const EventBatch& batch, Decoder& decoder) {
  for (std::size_t i = 0; i < batch.events().size(); ++i) {
    if (batch.events()[i].filtered) continue;
    ++counts_.edges;
    JsonText json;
    json.BeginObject().Key("line").Unsigned(line).Key("becomes").Text("edge");
    if (batch.events().size() > 1) json.Key("edge").Unsigned(i);
    const std::string_view mapping = decoder.MappingOf(i);
    if (!mapping.empty()) json.Key("mapping").Text(mapping);
    WriteEdge(batch, i, decoder, json);
    LookAtTime(line, batch.events()[i].time);
    lines_ += std::move(json.EndObject()).Take() + '\n';
  }
}

// The members have the names that they have in the API's tap.
void TrialLines::WriteEdge(const EventBatch& batch, std::size_t place, Decoder& decoder,
                           JsonText& json) const {
  const EdgeEvent& event = batch.events()[place];
  json.Key("source");
  WriteKey(event.source, batch, json);
  json.Key("target");
  if (event.operation == Operation::kRemoveVertex) {
    json.Null();
  } else {
    WriteKey(event.target, batch, json);
  }
  json.Key("weight");
  if (event.operation == Operation::kAdd) {
    json.WeightValue(event.weight);
  } else {
    json.Null();
  }
  json.Key("time");
  if (source_.format.time_origin == TimeOrigin::kField) {
    json.Text(TimeText(event.time));
    if (place == 0) {
      json.Key("time_as_written").Text(decoder.TimeAsWritten());
    }
  } else {
    json.Null();  // it is not in the record
  }
  json.Key("operation").Text(OperationName(event.operation));
  const TextRef type = batch.TypeOf(event);
  if (type.length > 0) json.Key("type").Text(batch.Text(type));
}

void TrialLines::WriteKey(KeyRef key, const EventBatch& batch, JsonText& json) const {
  if (source_.format.keys == KeyKind::kInteger) {
    json.Integer(key.integer());
  } else {
    json.Text(batch.Text(key.text()));
  }
}

void TrialLines::LookAtTime(std::uint64_t line, EventTime time) {
  const std::string odd = OddTime(time, source_.time, !source_.is_replay(), clock_.Now());
  if (!odd.empty() && odd_times_++ == 0) {
    first_odd_time_ = fmt::format("line {} ({}): {}", line, TimeText(time), odd);
  }
}

Status TrialLines::Flush(const TakeLines& take) {
  if (lines_.empty()) return Ok{};
  Status taken = take(lines_);
  lines_.clear();
  return taken;
}

TrialCounts TrialLines::TakeCounts() {
  for (std::string& warning : watch_.Warnings()) counts_.warnings.push_back(std::move(warning));
  if (odd_times_ > 0) {
    counts_.warnings.push_back(
        fmt::format("{} ({} such edges); is source.time right?", first_odd_time_, odd_times_));
  }
  return std::move(counts_);
}

}  // namespace sash
