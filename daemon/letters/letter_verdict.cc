#include "daemon/letters/letter_verdict.h"

#include <algorithm>
#include <chrono>
#include <utility>
#include <variant>

#include "connectors/codec/envelope_uses.h"
#include "daemon/letters/letter_sender.h"
#include "windows/ingest/event_batch.h"
#include "windows/ingest/letter_places.h"
#include "windows/ingest/refusal.h"

namespace sash {
namespace {

// The verdict on a letter of which all edges decode.
LetterVerdict::Kind VerdictOfWindow(const DeadLetter& letter, const EventBatch& batch,
                                    EventTime now) {
  using Kind = LetterVerdict::Kind;
  if (letter.reason != Name(RefusalReason::kAhead)) return Kind::kLate;
  const bool is_ahead = std::ranges::any_of(
      batch.events(), [now](const EdgeEvent& event) { return event.time > now; });
  return is_ahead ? Kind::kAhead : Kind::kDecodes;
}

// An attribute of CloudEvents may be a header.
bool ReadsHeaders(const FormatSpec& format) {
  const auto* json = std::get_if<JsonMapping>(&format.mapping);
  if (json != nullptr && json->unwrap == Unwrap::kCloudEvents) return true;
  return std::ranges::any_of(format.mappings, ReadsHeaders) ||
         std::ranges::any_of(EnvelopeUsesOf(format), [](const EnvelopeUse& use) {
           return use.field.from == EnvelopeField::From::kHeader;
         });
}

}  // namespace

Result<std::unique_ptr<LetterJudge>> LetterJudge::Open(const FormatSpec& format) {
  Result<std::unique_ptr<RecordJudge>> records = RecordJudge::Open(format);
  if (!records) return std::move(records).error();
  return std::unique_ptr<LetterJudge>(
      new LetterJudge(std::move(records).value(), ReadsHeaders(format)));
}

LetterVerdict LetterJudge::Judge(const DeadLetter& letter, EventTime now) {
  using Kind = LetterVerdict::Kind;
  const bool of_window = letter.stage == "window";
  const bool has_all_places = !of_window || letter.places.size() < kMostLetterPlaces;
  if (letter.truncated || !has_all_places) return {.kind = Kind::kTruncated};
  if (of_window && reads_headers_) return {.kind = Kind::kHeaderless};
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
      return {.kind = of_window ? VerdictOfWindow(letter, batch, now) : Kind::kDecodes};
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
