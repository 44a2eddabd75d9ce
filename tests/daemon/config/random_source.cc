#include "tests/daemon/config/random_source.h"

namespace sash {

KafkaSpec RandomSource::Kafka() {
  KafkaSpec kafka;
  kafka.brokers = random_.Pick("embedded", "a:1", "a:1,[::1]:65535");
  kafka.topics = {"t.1", "t-2"};
  if (random_.Coin()) {
    kafka.topics.clear();
    kafka.topic_pattern = random_.Pick("^t[.-]", "^t[.-]\\d$", "t|\"");
  }
  kafka.group = random_.Text();
  switch (random_.Number(5)) {
    case 0:
      kafka.start = StartEarliest{};
      break;
    case 1:
      kafka.start = StartLatest{};
      break;
    case 2:
      kafka.start = StartTimestamp{EventTime(Duration(random_.Bits()))};
      break;
    case 3:
      kafka.start = StartExplicit{{{"t.1", {{0, 5}, {7, INT64_MAX}}}, {"t-2", {{1, 0}}}}};
      break;
    default:
      break;
  }
  kafka.stall_after = random_.Time();
  kafka.decode_threads = static_cast<int>(random_.Number(65));
  if (random_.Coin()) {
    kafka.options = {
        {"debug", random_.Text()}, {"client.id", ""}, {random_.Text() + "!", random_.Text()}};
  }
  return kafka;
}

CsvColumn RandomSource::Column(bool number) {
  if (number) return static_cast<std::uint32_t>(1 + random_.Number(100));
  return random_.Coin() ? "12" : random_.Text();
}

template <typename Field>
KeyParts<Field> RandomSource::Parts(const Field& more, KeyKind keys) {
  KeyParts<Field> parts;
  parts.text.trim = random_.Coin();
  if (keys == KeyKind::kInteger) return parts;
  if (random_.Coin()) parts.rest = {{more}, random_.Pick(":", "", "\"")};
  parts.text.letters = random_.Pick(LetterCase::kAsWritten, LetterCase::kLower, LetterCase::kUpper);
  if (random_.Coin()) parts.text.prefix = random_.Text();
  return parts;
}

template <typename Mapping>
void RandomSource::MakeTexts(Mapping& mapping) {
  if (mapping.weight && random_.Coin()) {
    mapping.weight_text = {
        random_.Pick('.', ','), random_.Pick("", " ", "'", "\u202f"),
        random_.Pick(InvalidWeight::kRefuse, InvalidWeight::kOne, InvalidWeight::kZero)};
  }
  if (mapping.operation && random_.Coin()) {
    mapping.operation_words = {
        {"c" + random_.Text(), "r"}, {random_.Text() + "d"}, {}, {random_.Text() + "s"}};
  }
}

void RandomSource::ReadSlicesInstead(Config& config) {
  for (const WindowSpec& window : config.windows) {
    if (window.by != WindowAxis::kEventTime) return;
  }
  config.source.connector =
      SliceSourceSpec{"in/" + random_.Text(), random_.Pick(SourceEnd::kExit, SourceEnd::kStay)};
  const KeyKind keys = config.source.format.keys;
  config.source.format = FormatSpec();
  config.source.format.keys = keys;
  config.source.time = TimePolicy{.check_ahead = false};
  for (WindowSpec& window : config.windows) window.removals = true;
}

JsonMapping RandomSource::Json(const FormatSpec& format, bool replay, bool time) {
  JsonMapping json{random_.Pointer(), "", {}, {}, {}};
  for (auto* field : {&json.weight, &json.operation}) {
    if (random_.Coin()) *field = random_.Pointer();
  }
  if (time) json.time = "/t";
  if (time && random_.Coin()) {
    json.time_rest = {{random_.Pointer(), random_.Pointer()}, random_.Pick(" ", "T", "")};
  }
  if (random_.Coin()) {
    json.weight = replay ? random_.Pick("$topic", "$partition")
                         : random_.Pick("$key", "$key/~0a", "$header.a: #\"", "$timestamp");
  }
  json.source_parts = Parts(random_.Pointer(), format.keys);
  json.target_parts = Parts(random_.Pointer(), format.keys);
  if (random_.Coin()) {
    json.type = random_.Pointer();
    json.type_parts = Parts(random_.Pointer(), KeyKind::kString);
  } else if (random_.Coin()) {
    json.type_word = random_.Pick("paid", "a: #", "a${env:HOME}", "7");
  }
  if (random_.Coin()) json.id = random_.Pointer();
  if (json.id && random_.Coin()) json.id_parts = Parts(random_.Pointer(), KeyKind::kString);
  MakeTexts(json);
  if (random_.Coin()) json.text_at = random_.Pick("", "/~0a: #");
  json.unwrap = random_.Pick(Unwrap::kNone, Unwrap::kConnect, Unwrap::kCloudEvents);
  json.both_directions = random_.Coin();
  for (std::uint64_t more = random_.Coin() ? random_.Number(3) : 0; more > 0; --more) {
    JsonMapping edge{random_.Pointer(), "$record" + random_.Pointer(), {}, {}, {}};
    if (time) edge.time = "/other";
    edge.both_directions = random_.Coin();
    json.more_edges.push_back(edge);
  }
  if (random_.Coin()) json.each = json.more_edges.empty() ? "" : random_.Pick("/each", "/a/each");
  return json;
}

CsvMapping RandomSource::Csv(const FormatSpec& format, bool replay, bool time) {
  const bool number = random_.Coin();
  CsvMapping csv{Column(number),
                 Column(number),
                 {},
                 {},
                 {},
                 random_.Pick(',', '\t', '|', '\\', ' ', '#', kBlanks)};
  for (auto* field : {&csv.weight, &csv.operation}) {
    if (random_.Coin()) *field = Column(number);
  }
  if (time) csv.time = Column(number);
  if (time && random_.Coin()) csv.time_rest = {{Column(number)}, random_.Pick(" ", "\"", ", ")};
  if (random_.Coin()) {
    csv.weight = EnvelopeName(replay ? random_.Pick("$topic", "$partition")
                                     : random_.Pick("$key", "$header.x-y", "$timestamp"));
  }
  csv.source_parts = Parts(Column(number), format.keys);
  csv.target_parts = Parts(Column(number), format.keys);
  if (random_.Coin()) {
    csv.type = Column(number);
    csv.type_parts = Parts(Column(number), KeyKind::kString);
  } else if (random_.Coin()) {
    csv.type_word = random_.Pick("paid", "$a: #", "${env:HOME}", "7");
  }
  if (random_.Coin()) csv.id = Column(number);
  if (csv.id && random_.Coin()) csv.id_parts = Parts(Column(number), KeyKind::kString);
  MakeTexts(csv);
  csv.quotes = random_.Coin();
  csv.multiline = random_.Coin() && csv.quotes && csv.delimiter != kBlanks;
  if (random_.Coin()) csv.comment = random_.Pick("#", "//", "\"%", "${env:HOME}");
  csv.skip_rows = random_.Number(1'000'001);
  csv.both_directions = random_.Coin();
  return csv;
}

void RandomSource::MakeFormat(FormatSpec& format, bool replay) {
  const bool time = random_.Coin();
  format.keys = random_.Pick(KeyKind::kString, KeyKind::kInteger);
  if (random_.Coin()) {
    format.mapping = Json(format, replay, time);
  } else {
    format.mapping = Csv(format, replay, time);
  }
  if (random_.Coin()) {
    format.where = random_.Pick("$partition == 1", replay ? "true" : "$key != \"a: # \u00e9\"",
                                "size($topic) >\n 3", "$topic == '${env:HOME}' || true");
  }
  if (random_.Coin()) format.nulls = {"", "-" + random_.Text()};
  format.tombstone = random_.Pick(TombstonePolicy::kIgnore, TombstonePolicy::kRemove,
                                  TombstonePolicy::kDeadLetter);
  const auto* json = std::get_if<JsonMapping>(&format.mapping);
  if (json != nullptr && json->each && format.tombstone == TombstonePolicy::kRemove) {
    format.tombstone = TombstonePolicy::kIgnore;
  }
  format.time_origin = time && random_.Coin() ? TimeOrigin::kField
                       : replay               ? TimeOrigin::kClock
                                              : TimeOrigin::kKafka;
  MakeTimeText(format);
}

void RandomSource::MakeTimeText(FormatSpec& format) {
  format.time_unit = static_cast<TimeUnit>(random_.Number(kTimeUnitCount));
  if (format.time_unit == TimeUnit::kStep) {
    format.time_step = std::chrono::minutes(1 + random_.Number(99));
  }
  const bool numbers = CountsIn(format.time_unit) || format.time_unit == TimeUnit::kStep;
  if (numbers && random_.Coin()) {
    format.time_base = EventTime(
        std::chrono::milliseconds(static_cast<std::int64_t>(random_.Number(1 << 30)) - (1 << 29)));
  }
  if (format.time_unit == TimeUnit::kFormat) {
    format.time_format = random_.Coin() ? "%Y/%m/%d \"%T\"" : "%F %z";
    if (format.time_format != "%F %z") format.time_zone = random_.Coin() ? "UTC" : "Europe/Berlin";
  }
  if (format.time_unit == TimeUnit::kIso8601 && random_.Coin()) format.time_zone = "Asia/Kolkata";
}

void RandomSource::MakeTime(TimePolicy& time) {
  time.disorder = random_.Coin() ? Duration(0) : random_.Time();
  time.idle_after = random_.Time();
  time.on_silence = random_.Pick(SilencePolicy::kHold, SilencePolicy::kClock);
  time.ahead_limit = random_.Coin() ? Duration(0) : random_.Time();
  time.auto_ahead_limit = false;
  time.late = random_.Pick(LatePolicy::kDrop, LatePolicy::kDeadLetter, LatePolicy::kNextSlice);
  time.max_drift = random_.Time();
}

}  // namespace sash
