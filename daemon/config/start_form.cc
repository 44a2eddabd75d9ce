#include "daemon/config/start_form.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <variant>

#include "connectors/kafka/topic_choice.h"
#include "connectors/sinks/time_text.h"
#include "daemon/config/nearest_key.h"
#include "daemon/config/scalar_text.h"
#include "daemon/config/text_shapes.h"
#include "daemon/config/time_forms.h"

namespace sash {
namespace {

constexpr std::string_view kStartForms =
    "committed, earliest, latest, {timestamp: T} or {explicit: {topic: {partition: offset}}}";

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

StartExplicit ReadExplicit(const Section& start, const KafkaSpec& spec) {
  const bool is_known = !spec.topics.empty() || !spec.topic_pattern.empty();
  const TopicChoice choice(spec);
  StartExplicit offsets;
  const Place place = start.At("explicit");
  const auto entries = EntriesAt(place, "a mapping {topic: {partition: offset}}", start.errors());
  const bool countable =
      place.node->kind == YamlNode::Kind::kMapping || place.node->kind == YamlNode::Kind::kEmpty;
  if (countable && entries.empty()) {
    start.Fail("explicit", "is empty; give {topic: {partition: offset}}");
  }
  for (const NamedPlace& entry : entries) {
    if (is_known && !choice.Takes(entry.key)) {
      start.errors().Add(
          entry.place,
          fmt::format("`{}` is not among source.kafka.topics ({})", entry.key,
                      choice.is_pattern() ? "pattern " + spec.topic_pattern : SomeOf(spec.topics)));
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

}  // namespace

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
    spec.start.emplace<StartExplicit>(ReadExplicit(start, spec));
  }
}

std::string StartText(const StartPolicy& start) {
  struct Visitor {
    std::string operator()(const StartCommitted&) const { return "committed"; }
    std::string operator()(const StartEarliest&) const { return "earliest"; }
    std::string operator()(const StartLatest&) const { return "latest"; }
    std::string operator()(const StartTimestamp& at) const {
      return fmt::format("{{timestamp: {}}}", Quote(TimeText(at.time)));
    }
    std::string operator()(const StartExplicit& at) const {
      std::string topics;
      for (const auto& [topic, partitions] : at.offsets) {
        std::string offsets;
        for (const auto& [partition, offset] : partitions) {
          offsets += fmt::format("{}{}: {}", offsets.empty() ? "" : ", ", partition, offset);
        }
        topics += fmt::format("{}{}: {{{}}}", topics.empty() ? "" : ", ", Quote(topic), offsets);
      }
      return fmt::format("{{explicit: {{{}}}}}", topics);
    }
  };
  return std::visit(Visitor{}, start);
}

SectionSpec StartSection() {
  return {
      "source.kafka.start",
      {{"timestamp", InstantShapes(),
        "At the first record at or after this time: RFC 3339, or milliseconds since 1970."},
       {"explicit",
        {FreeMapping{FreeMapping::Kind::kOffsets}},
        "At these offsets, {topic: {partition: offset}}; other partitions start at the earliest."}},
      {"timestamp", "explicit"}};
}

}  // namespace sash
