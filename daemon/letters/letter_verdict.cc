#include "daemon/letters/letter_verdict.h"

#include <chrono>
#include <utility>

#include "daemon/letters/letter_sender.h"

namespace sash {

Result<std::unique_ptr<LetterJudge>> LetterJudge::Open(const FormatSpec& format) {
  Result<std::unique_ptr<RecordJudge>> records = RecordJudge::Open(format);
  if (!records) return std::move(records).error();
  return std::unique_ptr<LetterJudge>(new LetterJudge(std::move(records).value()));
}

LetterVerdict LetterJudge::Judge(const DeadLetter& letter) {
  using Kind = LetterVerdict::Kind;
  if (letter.truncated) return {.kind = Kind::kTruncated};
  if (letter.stage == "window") return {.kind = Kind::kOfWindow};
  const OwnHeaders headers = HeadersToSend(letter);
  KafkaRecord record{.topic = letter.topic,
                     .partition = letter.partition,
                     .offset = letter.offset,
                     .timestamp_ms = std::chrono::floor<std::chrono::milliseconds>(letter.timestamp)
                                         .time_since_epoch()
                                         .count(),
                     .key = {},
                     .value = {},
                     .headers = HeadersIn(headers)};
  if (letter.key) record.key = *letter.key;
  if (letter.payload) record.value = *letter.payload;
  EventBatch batch;
  RecordVerdict verdict = records_->Judge(record, batch);
  switch (verdict.kind) {
    case RecordVerdict::Kind::kDecodes:
      return {.kind = Kind::kDecodes};
    case RecordVerdict::Kind::kIgnored:
      return {.kind = Kind::kIgnored};
    case RecordVerdict::Kind::kFiltered:
      return {.kind = Kind::kFiltered};
    case RecordVerdict::Kind::kUnmapped:
      return {.kind = Kind::kUnmapped};
    case RecordVerdict::Kind::kRefused:
      break;
  }
  return {Kind::kRefused, std::move(verdict.reason), std::move(verdict.detail)};
}

}  // namespace sash
