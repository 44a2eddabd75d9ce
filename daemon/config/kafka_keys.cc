#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include "daemon/config/address_text.h"
#include "daemon/config/nearest_key.h"
#include "daemon/config/scalar_text.h"
#include "daemon/config/secret_reference.h"
#include "daemon/config/sections.h"

namespace sash {
namespace {

constexpr std::string_view kStartForms =
    "committed, earliest, latest, {timestamp: T} or {explicit: {topic: {partition: offset}}}";

void ReadTopics(const Section& kafka, KafkaSpec& spec) {
  if (!kafka.Has("topics")) {
    kafka.FailMissing("topics", "give a list of topics, such as [interactions]");
    return;
  }
  const Place place = kafka.At("topics");
  const std::size_t before = place.node->items.size();
  for (const Place& item :
       ItemsAt(place, "a list of topics, such as [interactions]", kafka.errors())) {
    std::string topic;
    if (!ReadAt(item, topic, "a topic name", ParseTopic, kafka.errors())) continue;
    if (std::ranges::find(spec.topics, topic) != spec.topics.end()) {
      kafka.errors().Add(item, fmt::format("topic `{}` is listed twice; keep one", topic));
      continue;
    }
    spec.topics.push_back(topic);
  }
  const bool list =
      place.node->kind == YamlNode::Kind::kList || place.node->kind == YamlNode::Kind::kEmpty;
  if (list && before == 0)
    kafka.Fail("topics", "must name at least one topic, as in [interactions]");
}

void ReadOffsets(const NamedPlace& topic, StartExplicit& start, ErrorList& errors) {
  const auto entries = EntriesAt(topic.place, "a mapping {partition: offset}", errors);
  const bool countable = topic.place.node->kind == YamlNode::Kind::kMapping ||
                         topic.place.node->kind == YamlNode::Kind::kEmpty;
  if (countable && entries.empty()) {
    errors.Add(topic.place, "is empty; give {partition: offset}, such as {0: 1500}");
  }
  for (const auto& [key, place] : entries) {
    constexpr std::int64_t kMostPartitions = std::numeric_limits<std::int32_t>::max();
    const Result<std::int64_t> partition = IntegerBetween{0, kMostPartitions}(key);
    if (!partition) errors.Add(place, "not a partition: " + partition.error().message);
    std::int64_t offset = 0;
    if (!ReadAt(place, offset, "an offset",
                IntegerBetween{0, std::numeric_limits<std::int64_t>::max()}, errors) ||
        !partition) {
      continue;
    }
    const auto number = static_cast<std::int32_t>(partition.value());
    if (!start.offsets[topic.key].emplace(number, offset).second) {
      errors.Add(place, fmt::format("partition {} is given twice; keep one", number));
    }
  }
}

StartExplicit ReadExplicit(const Section& start, const std::vector<std::string>& topics) {
  StartExplicit offsets;
  const Place place = start.At("explicit");
  const auto entries = EntriesAt(place, "a mapping {topic: {partition: offset}}", start.errors());
  const bool countable =
      place.node->kind == YamlNode::Kind::kMapping || place.node->kind == YamlNode::Kind::kEmpty;
  if (countable && entries.empty()) {
    start.Fail("explicit", "is empty; give {topic: {partition: offset}}");
  }
  for (const NamedPlace& entry : entries) {
    if (!topics.empty() && std::ranges::find(topics, entry.key) == topics.end()) {
      start.errors().Add(entry.place, fmt::format("`{}` is not among source.kafka.topics ({})",
                                                  entry.key, SomeOf(topics)));
    }
    ReadOffsets(entry, offsets, start.errors());
  }
  return offsets;
}

Result<std::string> ParseStartWord(std::string_view text) {
  static constexpr std::array<std::string_view, 5> kWords = {"committed", "earliest", "latest",
                                                             "timestamp", "explicit"};
  if (text == "committed" || text == "earliest" || text == "latest") return std::string(text);
  return Wrong(fmt::format("must be {}, not `{}`{}", kStartForms, text, Suggestion(text, kWords)));
}

void ReadStart(const Section& kafka, KafkaSpec& spec) {
  if (!kafka.Has("start")) return;
  const Place place = kafka.At("start");
  if (place.node->kind != YamlNode::Kind::kMapping) {
    std::string word;
    if (!ReadAt(place, word, kStartForms, ParseStartWord, kafka.errors())) return;
    if (word == "earliest") spec.start.emplace<StartEarliest>();
    if (word == "latest") spec.start.emplace<StartLatest>();
    return;
  }
  const Section start = kafka.Child("start", "source.kafka.start");
  const auto form = start.ExactlyOne({"timestamp", "explicit"}, kStartForms);
  if (form == "timestamp") {
    StartTimestamp timestamp;
    start.Read("timestamp", timestamp.time, "a time, such as 2026-01-01T00:00:00Z",
               ParsePointInTime);
    spec.start.emplace<StartTimestamp>(timestamp);
  } else if (form == "explicit") {
    spec.start.emplace<StartExplicit>(ReadExplicit(start, spec.topics));
  }
}

}  // namespace

void ReadKafkaOptions(const Section& kafka, WhyOwned why_owned,
                      std::map<std::string, std::string>& options,
                      std::map<std::string, std::string>& references) {
  if (!kafka.Has("options")) return;
  for (const auto& [option, place] :
       EntriesAt(kafka.At("options"), "a mapping of librdkafka options", kafka.errors())) {
    if (const auto reason = why_owned(option)) {
      kafka.errors().Add(place, fmt::format("cannot be set here: {}", *reason));
      continue;
    }
    const YamlNode* const value = ScalarAt(place, "a value", kafka.errors());
    if (value == nullptr) continue;
    if (option.empty()) {
      kafka.errors().Add(place, "has no name; give the name of a librdkafka option");
    } else if (value->text == kRedacted) {
      kafka.errors().Add(place,
                         "was redacted when this was printed; give the value, or "
                         "${env:NAME} or ${file:PATH}");
    } else {
      options[option] = value->text;
      if (!value->written.empty()) references[option] = value->written;
    }
  }
}

KafkaSpec ReadKafka(const Section& kafka) {
  KafkaSpec spec;
  kafka.Read("brokers", spec.brokers, "`embedded` or host:port,host:port", ParseBrokers);
  ReadTopics(kafka, spec);
  kafka.Read("group", spec.group, "the name of a consumer group", ParseNonEmpty);
  ReadStart(kafka, spec);
  kafka.Read("stall_after", spec.stall_after);
  kafka.ReadOr("decode_threads", spec.decode_threads, {{"auto", 0}});
  ReadKafkaOptions(kafka, WhyOwnedBySource, spec.options, spec.option_references);
  return spec;
}

}  // namespace sash
