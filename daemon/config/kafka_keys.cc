#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include "connectors/codec/quoted_text.h"
#include "connectors/kafka/topic_choice.h"
#include "connectors/sinks/time_text.h"
#include "daemon/config/address_text.h"
#include "daemon/config/nearest_key.h"
#include "daemon/config/options_form.h"
#include "daemon/config/scalar_text.h"
#include "daemon/config/secret_reference.h"
#include "daemon/config/sections.h"
#include "daemon/config/text_shapes.h"
#include "daemon/config/topics_form.h"

namespace sash {
namespace {

constexpr std::string_view kTopics = "source.kafka.topics";
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

// Explicit offsets name topics of the source.
struct StartForm {
  std::vector<Shape> Shapes() const {
    return {Words{{"committed", "earliest", "latest"}}, SectionShape{"source.kafka.start"}};
  }
  void Read(const Section& kafka, const KeySpec& /*key*/, KafkaSpec& spec) const {
    ReadStart(kafka, spec);
  }
  void Print(YamlPrinter& out, int depth, const KeySpec& key, const KafkaSpec& spec) const {
    out.Line(depth, key.name, StartText(spec.start));
  }
  bool Same(const KafkaSpec& a, const KafkaSpec& b) const { return a.start == b.start; }
};

// StartForm reads and prints them.
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

// ShardForm reads and prints them.
constexpr std::string_view kPartitions = "source.kafka.partitions";
const WholeNumber kShardNumber{1, StreamShard::kMost};

// `partitions`, which splits them among several processes.
struct ShardForm {
  std::vector<Shape> Shapes() const { return {SectionShape{kPartitions}}; }
  void Read(const Section& kafka, const KeySpec& key, KafkaSpec& spec) const {
    if (!kafka.Has(key.name)) return;
    const Section shard = kafka.Child(key.name, kPartitions);
    StreamShard read;
    const bool has_number = shard.Require("shard", read.number);
    if (!shard.Require("of", read.of) || !has_number) return;
    if (read.number > read.of) {
      return shard.Fail("shard",
                        fmt::format("must be from 1 to `of` ({}), not {}", read.of, read.number));
    }
    spec.shard = read;
  }
  void Print(YamlPrinter& out, int depth, const KeySpec& key, const KafkaSpec& spec) const {
    if (!spec.shard) return;
    out.Line(depth, key.name,
             fmt::format("{{shard: {}, of: {}}}", spec.shard->number, spec.shard->of));
  }
  bool Same(const KafkaSpec& a, const KafkaSpec& b) const { return a.shard == b.shard; }
};

SectionSpec ShardSection() {
  return {kPartitions,
          {{"shard",
            {kShardNumber},
            "The number of this shard.",
            kRequired,
            Change::kRestart,
            "",
            "1 to `of`"},
           {"of", {kShardNumber}, "The number of shards, the same in all of them.", kRequired}},
          {}};
}

}  // namespace

void ReadKafkaOptions(const Section& kafka, std::string_view key, WhyOwned why_owned,
                      KafkaOptions& options, KafkaOptions& references) {
  if (!kafka.Has(key)) return;
  for (const auto& [option, place] :
       EntriesAt(kafka.At(key), "a mapping of librdkafka options", kafka.errors())) {
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

void PrintKafkaOptions(YamlPrinter& out, int depth, std::string_view key,
                       const KafkaOptions& options, const KafkaOptions& references) {
  if (options.empty()) {
    out.Line(depth, key, "{}");
    return;
  }
  out.Line(depth, key);
  for (const auto& [option, value] : options) {
    const auto reference = references.find(option);
    std::string shown = Quote(IsSecretOption(option) ? kRedacted : std::string_view(value));
    if (reference != references.end()) {
      // As written: it names where the value is and does not show it.
      shown = Quoted(reference->second);
    }
    out.Line(depth + 1, Quoted(option), shown);  // keys hold no references
  }
}

const KeyRows<KafkaSpec>& KafkaRows() {
  using Key = KeyRow<KafkaSpec>;
  static const KeyRows<KafkaSpec> rows = {
      Key("brokers", &KafkaSpec::brokers,
          TextForm{Text{BrokersPattern(), kNothing, "embedded or host:port,host:port"},
                   "`embedded` or host:port,host:port", ParseBrokers},
          "Addresses of brokers, separated by commas; IPv6 addresses in brackets. `embedded` "
          "starts a broker inside the process, for trials; --check, the log and /readyz report "
          "this.")
          .Range("embedded, or host:port with ports 1 to 65535"),
      Key("topics", kWhole,
          TopicsForm{.pattern_section = kTopics,
                     .example = "a list of topics, such as [interactions]",
                     .is_required = true},
          "Topics to read: a list, or a pattern. With a pattern, all topics whose names match are "
          "read, those that are created later too, from their beginning; a topic that is deleted "
          "leaves. The pattern is a regular expression (RE2) of which any part of a name may "
          "match. Topics to which sashd writes, and those that begin with __, never match.",
          kRequired)
          .Range("at least one name, each once; or a pattern"),
      Key("group", &KafkaSpec::group,
          TextForm{kAnyText, "the name of a consumer group", ParseNonEmpty},
          "The consumer group under which offsets are stored."),
      Key("partitions", kWhole, ShardForm{},
          "Makes this process one of several that read the topics together. Shard 1 of 4 reads the "
          "partitions 0, 4, 8, ... of each topic: partition p belongs to shard p mod 4 + 1. A "
          "shard only exports its slices, in a folder of its own (exports[].parquet with `slices: "
          "true` is required); the pane and the filters come from `windows`. It runs no window, "
          "job, sink or alert of the file and leaves duplicates to the reader of the slices. "
          "connectors/export/slices/README.md describes shards.",
          kOptional),
      Key("start", kWhole, StartForm{},
          "Where reading begins. committed: at the stored offset of each partition; if there is "
          "none, at the earliest record. timestamp: at the first record at or after this time (RFC "
          "3339, or milliseconds since 1970). explicit: at these offsets; in other partitions, at "
          "the earliest record.")
          .Range("the forms shown here, times from 1970, offsets from 0"),
      Key("stall_after", &KafkaSpec::stall_after, TimeSpan{.zero = false},
          "If a partition that has more records delivers none for this time, reading of the "
          "partition starts again, and /readyz reports the partition until its next record."),
      Key("decode_threads", &KafkaSpec::decode_threads, OrWord{WholeNumber{1, 64}, "auto", 0},
          "How many threads decode records. Each decodes a range of the fetched records, so "
          "several threads help even with a single partition. auto: a quarter of the cores, from 1 "
          "to 8. More threads help if records are long or many, and cores are idle. --replay uses "
          "one thread."),
      Key("options", kWhole, OptionsForm{WhyOwnedBySource},
          "Options of librdkafka, passed on unchanged. Options that sashd sets itself are refused; "
          "the message gives the reason. --print-config prints secret values as <redacted>; it "
          "prints ${env:NAME} and ${file:PATH} as they are, so give secrets in this form. The "
          "default of check.crcs is true."),
  };
  return rows;
}

std::vector<SectionSpec> KafkaSections() {
  return {SectionFrom("source.kafka", KafkaRows()),
          PatternSection(
              kTopics,
              "A regular expression (RE2); any part of a name may match, so begin it with ^ and "
              "end it with $ where the name must. Topics that match later are read from their "
              "beginning."),
          ShardSection(), StartSection()};
}

}  // namespace sash
