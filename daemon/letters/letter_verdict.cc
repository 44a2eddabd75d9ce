#include "daemon/letters/letter_verdict.h"

#include <chrono>
#include <utility>

namespace sash {

Result<std::unique_ptr<LetterJudge>> LetterJudge::Open(const FormatSpec& format) {
  Result<std::unique_ptr<Decoder>> decoder = MakeDecoder(format);
  if (!decoder) return std::move(decoder).error();
  return std::unique_ptr<LetterJudge>(new LetterJudge(format, std::move(decoder).value()));
}

LetterJudge::LetterJudge(const FormatSpec& format, std::unique_ptr<Decoder> decoder)
    : intake_(format, std::move(decoder), refusal_, clock_) {}

LetterVerdict LetterJudge::Judge(const DeadLetter& letter) {
  using Kind = LetterVerdict::Kind;
  if (letter.truncated) return {.kind = Kind::kTruncated};
  if (letter.stage == "window") return {.kind = Kind::kOfWindow};
  KafkaRecord record{.topic = letter.topic,
                     .partition = letter.partition,
                     .offset = letter.offset,
                     .timestamp_ms = std::chrono::floor<std::chrono::milliseconds>(letter.timestamp)
                                         .time_since_epoch()
                                         .count(),
                     .key = {},
                     .value = {}};
  if (letter.key) record.key = *letter.key;
  if (letter.payload) record.value = *letter.payload;
  EventBatch batch;
  const std::uint64_t refused = intake_.refused();
  const std::optional<EventTime> time = intake_.Take(record, 0, batch);
  if (time) return {.kind = Kind::kDecodes};
  if (intake_.refused() == refused) return {.kind = Kind::kIgnored};
  return {.kind = Kind::kRefused, .reason = refusal_.reason, .detail = refusal_.detail};
}

}  // namespace sash
