#include "daemon/probe/record_trial.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <memory>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>
#include <variant>

#include "connectors/codec/envelope_uses.h"
#include "connectors/codec/mapped_topics.h"
#include "connectors/replay/file_records.h"
#include "daemon/letters/record_judge.h"
#include "daemon/log/exit_code.h"

namespace sash {
namespace {

// The topic whose records are tried.
std::string TopicOf(const SourceConfig& source, const std::string& asked) {
  const auto* kafka = std::get_if<KafkaSpec>(&source.connector);
  return !asked.empty() || kafka == nullptr || kafka->topics.empty() ? asked
                                                                     : kafka->topics.front();
}

// The format for finding rows: with several mappings, that of the first one that takes the topic. A
// record of a topic is one row, so nothing is skipped.
FormatSpec RowFormat(const SourceConfig& source, const std::string& topic) {
  FormatSpec format = source.format;
  if (!source.is_replay()) {
    for (const FormatSpec& mapping : source.format.mappings) {
      const Result<MappedTopics> topics = MappedTopics::Of(mapping);
      if (!topics.ok() || !topics.value().Take(topic)) continue;
      format = mapping;
      break;
    }
  }
  auto* csv = std::get_if<CsvMapping>(&format.mapping);
  if (csv != nullptr && !source.is_replay()) {
    csv->comment.clear();
    csv->skip_rows = 0;
  }
  return format;
}

class RecordTrial {
 public:
  RecordTrial(const SourceConfig& source, const TakeLines& take, const std::string& topic)
      : source_(source),
        take_(take),
        topic_(TopicOf(source, topic)),
        row_format_(RowFormat(source, topic_)),
        lines_(source, topic_, clock_) {}

  Status Open(const std::string& path) {
    if (!source_.is_replay()) {
      Result<std::unique_ptr<RecordJudge>> judge = RecordJudge::Open(source_.format);
      if (!judge) return std::move(judge).error();
      judge_ = std::move(judge).value();
    }
    if (IsOneRecord()) return ReadWhole(path);
    Result<std::unique_ptr<FileRecords>> records = FileRecords::Open(path, row_format_);
    if (!records) return std::move(records).error();
    records_ = std::move(records).value();
    return Ok{};
  }

  Status Run() {
    if (records_ == nullptr) {
      Take({.text = whole_, .line = 1});
      return lines_.Flush(take_);
    }
    while (!records_->has_ended()) {
      InputFile::Reading reading = records_->Read(std::chrono::milliseconds(-1));
      if (reading.outcome == InputFile::Outcome::kFailed) {
        return Error{ErrorCode::kInvalidArgument, std::move(reading.why)};
      }
      if (Status taken = TakeRows(); !taken) return taken;
      if (Status taken = lines_.Flush(take_); !taken) return taken;
    }
    return Ok{};
  }

  TrialCounts Counts() {
    TrialCounts counts = lines_.TakeCounts();
    const std::string absent = judge_ == nullptr ? "" : FieldsNotInFiles(source_.format);
    if (!absent.empty()) {
      counts.warnings.insert(
          counts.warnings.begin(),
          fmt::format("the mapping reads {}, which lines of a file do not have (the timestamp is "
                      "the clock); sashd --probe tries records of the topic",
                      absent));
    }
    return counts;
  }

 private:
  // Records that are not text do not end with lines, so a file has one.
  bool IsOneRecord() {
    if (source_.format.mappings.empty()) return IsBinary(source_.format);
    return judge_ != nullptr && judge_->decoder().UseOf(topic_).is_binary;
  }

  Status ReadWhole(const std::string& path) {
    std::FILE* const file = path == "-" ? stdin : std::fopen(path.c_str(), "rb");
    if (file == nullptr) {
      return Error{ErrorCode::kInvalidArgument,
                   path + ": " + std::generic_category().message(errno)};
    }
    whole_.resize(kMaxRecordBytes + 1);
    whole_.resize(std::fread(whole_.data(), 1, whole_.size(), file));
    const bool failed = std::ferror(file) != 0;
    if (file != stdin) std::fclose(file);
    if (!failed) return Ok{};
    return Error{ErrorCode::kInvalidArgument, path + ": it cannot be read"};
  }

  Status TakeRows() {
    if (!records_->is_ready()) {
      if (Status taken = records_->TakeHeader(false); !taken) return taken;
      if (!records_->is_ready()) return Ok{};
    }
    while (std::optional<Row> row = records_->Next()) {
      Take(*row);
      if (!lines_.is_full()) continue;
      if (Status taken = lines_.Flush(take_); !taken) return taken;
    }
    return Ok{};
  }

  void Take(Row row) {
    EventBatch batch;
    const RecordVerdict verdict = judge_ == nullptr ? Replayed(row, batch) : Consumed(row, batch);
    ++offset_;
    lines_.Add(row.line, verdict, batch,
               judge_ == nullptr ? records_->decoder() : judge_->decoder());
  }

  // Decodes a row as ReplaySource reads it.
  RecordVerdict Replayed(Row& row, EventBatch& batch) {
    const RecordEnvelope envelope{.topic = "replay"};
    RecordPlace place{.partition = 0, .offset = offset_, .time = {}, .envelope = &envelope};
    if (source_.format.time_origin != TimeOrigin::kField) place.time = clock_.Now();
    std::optional<Refused> refused = records_->Decode(row, place, batch);
    if (!refused && (batch.events().empty() || batch.events().front().filtered)) {
      return {.kind = RecordVerdict::Kind::kFiltered};
    }
    if (!refused) return {};
    records_->Explain(row, *refused);
    batch.AddRefused(1, 0, offset_, 0);
    return {RecordVerdict::Kind::kRefused, std::string(Name(refused->reason)),
            std::move(refused->detail)};
  }

  // Decodes a row as KafkaSource reads a record with this value.
  RecordVerdict Consumed(Row& row, EventBatch& batch) {
    if (row.too_large) return Replayed(row, batch);
    RecordVerdict verdict = judge_->Judge(RecordOf(row), batch);
    const bool is_cut = row.several_lines && verdict.kind == RecordVerdict::Kind::kRefused &&
                        verdict.reason == Name(RefusalReason::kInvalidSyntax);
    if (!is_cut) return verdict;
    // A stray quote is more likely than a record of several lines.
    row = records_->CutToFirstLine();
    batch = {};
    return judge_->Judge(RecordOf(row), batch);
  }

  // A file does not say when its records were produced.
  KafkaRecord RecordOf(const Row& row) const {
    const auto now = std::chrono::floor<std::chrono::milliseconds>(clock_.Now());
    return {.topic = topic_,
            .partition = 0,
            .offset = offset_,
            .timestamp_ms = now.time_since_epoch().count(),
            .key = {},
            .value = row.text};
  }

  const SourceConfig& source_;
  const TakeLines& take_;
  const std::string topic_;
  const FormatSpec row_format_;
  SystemClock clock_;
  std::unique_ptr<FileRecords> records_;  // null: the file is one record
  std::string whole_;                     // that record
  std::unique_ptr<RecordJudge> judge_;    // null: the source is a replay
  std::int64_t offset_ = 0;
  TrialLines lines_;
};

}  // namespace

Result<TrialCounts> TryRecords(const SourceConfig& source, const std::string& path,
                               const TakeLines& take, const std::string& topic) {
  if (source.slices() != nullptr) {
    return Error{ErrorCode::kInvalidArgument,
                 "source.export: slices hold edges, and no record is mapped; there is nothing to "
                 "try"};
  }
  RecordTrial trial(source, take, topic);
  if (Status opened = trial.Open(path); !opened) return std::move(opened).error();
  if (Status ran = trial.Run(); !ran) return std::move(ran).error();
  return trial.Counts();
}

int PrintTrial(const Config& config, const std::string& path, const std::string& topic) {
  const auto print = [](const std::string& lines) -> Status {
    const bool written = std::fwrite(lines.data(), 1, lines.size(), stdout) == lines.size() &&
                         std::fflush(stdout) == 0;
    if (written) return Ok{};
    return Error{ErrorCode::kUnavailable,
                 "standard output: " + std::generic_category().message(errno)};
  };
  const Result<TrialCounts> counts = TryRecords(config.source, path, print, topic);
  if (!counts) {
    std::fprintf(stderr, "sashd: %s\n", counts.error().message.c_str());
    return kExitFailure;
  }
  for (const std::string& warning : counts.value().warnings) {
    std::fprintf(stderr, "warning: %s\n", warning.c_str());
  }
  std::fprintf(stderr, "%s\n", counts.value().Summary().c_str());
  return counts.value().refused.empty() ? kExitOk : kExitFailure;
}

}  // namespace sash
