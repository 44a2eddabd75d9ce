#include "connectors/sinks/kafka/letter_topic.h"

#include <fmt/format.h>

#include <charconv>
#include <initializer_list>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "connectors/sinks/json_text.h"
#include "connectors/sinks/kafka/log_events.h"
#include "connectors/sinks/time_text.h"

namespace sash {
namespace {

constexpr const char* kTopic = "sash.topic";
constexpr const char* kPartition = "sash.partition";
constexpr const char* kOffset = "sash.offset";
constexpr const char* kTimestamp = "sash.timestamp";
constexpr const char* kReason = "sash.reason";
constexpr const char* kStage = "sash.stage";
constexpr const char* kError = "sash.error";

constexpr const char* kFull = "full";
constexpr const char* kDisk = "disk";

// Names and values of the headers, except the topic's name and the error's text.
constexpr std::size_t kHeaderBytes = 256;

// The place of the record. The outbox needs no other key.
std::string KeyOf(const RefusedRecord& record) {
  JsonText json;
  json.BeginObject().Key("topic").Text(record.topic).Key("partition").Integer(record.partition);
  return std::move(json.Key("offset").Integer(record.offset).EndObject()).Take();
}

std::size_t SizeOf(const std::optional<std::string_view>& text) { return text ? text->size() : 0; }

Result<TopicMessage> Unpack(const Outbox::Message& message) {
  const Result<DeadLetter> letter = ParseDeadLetter(message.value);
  if (!letter) return letter.error();
  return LetterMessage(letter.value());
}

// The places of the refused edges; none if the letter has no header of them, or a wrong one. A
// header before those of the letter is one of the record.
std::vector<MappedPlace> TakePlaces(const TopicMessage& message, std::vector<bool>& is_ours) {
  for (std::size_t i = message.headers.size(); i > 0 && !is_ours[i - 1]; --i) {
    const auto& [name, text] = message.headers[i - 1];
    if (name != kPlacesHeader) continue;
    is_ours[i - 1] = true;
    return ParseMappedPlaces(text).value_or(std::vector<MappedPlace>());
  }
  return {};
}

template <typename Number>
bool ReadNumber(std::string_view text, Number& number) {
  const auto end = std::from_chars(text.data(), text.data() + text.size(), number);
  return end.ec == std::errc() && end.ptr == text.data() + text.size();
}

}  // namespace

TopicMessage LetterMessage(const DeadLetter& letter) {
  TopicMessage message{.key = letter.key, .value = letter.payload};
  for (const auto& [name, value] : letter.headers) {
    message.headers.emplace_back(name, value.value_or(""));
  }
  for (const auto& [name, text] : std::initializer_list<std::pair<const char*, std::string>>{
           {kTopic, letter.topic},
           {kPartition, std::to_string(letter.partition)},
           {kOffset, std::to_string(letter.offset)},
           {kTimestamp, TimeText(letter.timestamp)},
           {kReason, letter.reason},
           {kStage, letter.stage},
           {kError, letter.detail}}) {
    message.headers.emplace_back(name, text);
  }
  if (!letter.places.empty()) {
    message.headers.emplace_back(kPlacesHeader, MappedPlacesText(letter.places));
  }
  return message;
}

Result<DeadLetter> LetterOf(const TopicMessage& message) {
  DeadLetter letter{.key = message.key, .payload = message.value};
  std::string missing;
  std::vector<bool> is_ours(message.headers.size());
  // The last header of the name. The record itself may have been a letter.
  const auto header = [&](const char* name) -> std::string_view {
    for (std::size_t i = message.headers.size(); i > 0; --i) {
      const auto& [candidate, text] = message.headers[i - 1];
      if (candidate != name) continue;
      is_ours[i - 1] = true;
      return text;
    }
    missing += (missing.empty() ? "" : ", ") + std::string(name);
    return {};
  };
  letter.topic = header(kTopic);
  letter.reason = header(kReason);
  letter.stage = header(kStage);
  letter.detail = header(kError);
  const std::string_view partition = header(kPartition);
  const std::string_view offset = header(kOffset);
  const auto time = ParseTimeText(header(kTimestamp));
  if (!missing.empty()) {
    return Error{ErrorCode::kCorruption,
                 fmt::format("not a dead letter: it has no header {}", missing)};
  }
  if (!ReadNumber(partition, letter.partition) || !ReadNumber(offset, letter.offset) || !time) {
    return Error{ErrorCode::kCorruption, fmt::format("not a dead letter: {}, {} or {} is wrong",
                                                     kPartition, kOffset, kTimestamp)};
  }
  letter.timestamp = *time;
  letter.places = TakePlaces(message, is_ours);
  for (std::size_t i = 0; i < message.headers.size(); ++i) {
    if (!is_ours[i]) letter.headers.push_back(message.headers[i]);
  }
  return letter;
}

Result<std::unique_ptr<LetterTopic>> LetterTopic::Open(const KafkaDestination& to, bool replay,
                                                       EventLog& log) {
  OutboxCargo cargo{.name = "dead letters to " + to.topic,
                    .things = "letters",
                    .sink = "dead_letters:" + to.topic,
                    .head = kDeadLetterHead,
                    .spread = TopicProducer::Spread::kByKey,
                    .unpack = Unpack};
  Result<std::unique_ptr<OutboxTopic>> topic = OutboxTopic::Open(to, std::move(cargo), replay, log);
  if (!topic) return std::move(topic).error();
  return std::unique_ptr<LetterTopic>(new LetterTopic(to, std::move(topic).value(), log));
}

void LetterTopic::Refuse(const RefusedRecord& record) {
  std::string line = DeadLetterLine(record, std::numeric_limits<std::size_t>::max());
  line.pop_back();
  std::size_t bytes = SizeOf(record.key) + SizeOf(record.payload) + record.topic.size() +
                      record.detail.size() + kHeaderBytes;
  for (const RecordHeader& header : record.headers) {
    bytes += header.name.size() + SizeOf(header.value);
  }
  ReadyState& state = topic_->state();
  switch (topic_->Post(KeyOf(record), line, bytes)) {
    case OutboxTopic::Posted::kTaken:
      if (state.IsSet(kFull)) {
        state.Clear(kFull, outbox_events::kHasRoom,
                    fmt::format("{}: the outbox has room again", topic_->name()));
      }
      return;
    case OutboxTopic::Posted::kFull:
      state.Set(kFull, outbox_events::kFull, kFull,
                fmt::format("{}: the outbox {} is full, letters do not reach the topic",
                            topic_->name(), outbox_path_),
                {{"sink", topic_->name()}});
      return;
    case OutboxTopic::Posted::kTooLarge:
      // Not a state: the next letter may fit, but nothing would report the end of the state.
      if (said_too_large_.exchange(true)) return;
      log_.Log(outbox_events::kLetterTooLarge,
               fmt::format("{}: {} [{}] offset {} is larger than message.max.bytes ({}) and does "
                           "not reach the topic; further such letters are only counted",
                           topic_->name(), record.topic, record.partition, record.offset,
                           topic_->most_bytes()),
               {{"sink", topic_->name()},
                {"topic", record.topic},
                {"partition", record.partition},
                {"offset", record.offset}});
  }
}

Status LetterTopic::Flush() {
  Status flushed = topic_->Flush();
  ReadyState& state = topic_->state();
  if (!flushed.ok()) {
    state.Set(kDisk, outbox_events::kDiskFailed, kDisk,
              flushed.error().message + "; committing stops", {{"sink", topic_->name()}});
  } else if (state.IsSet(kDisk)) {
    state.Clear(kDisk, outbox_events::kDiskResumed,
                fmt::format("{}: durable again, committing goes on", topic_->name()));
  }
  return flushed;
}

}  // namespace sash
