#include "daemon/config/source_keys.h"

#include <functional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "connectors/codec/envelope_uses.h"
#include "daemon/config/sections.h"
#include "daemon/config/time_forms.h"

namespace sash {
namespace {

// A row for one of the connectors; exactly one is present.
template <typename Spec>
KeyRow<SourceConfig> ConnectorRow(
    KeySpec key, std::function<void(YamlPrinter&, int, const SourceConfig&)> print,
    std::function<bool(const SourceConfig&, const SourceConfig&)> same) {
  const std::string_view name = key.name;
  return {
      std::move(key), nullptr,
      [name, print = std::move(print)](YamlPrinter& out, int depth, const SourceConfig& source) {
        if (!std::holds_alternative<Spec>(source.connector)) return;
        out.Line(depth, name);
        print(out, depth + 1, source);
      },
      [same = std::move(same)](const SourceConfig& a, const SourceConfig& b) {
        if (a.connector.index() != b.connector.index()) return false;
        return !std::holds_alternative<Spec>(a.connector) || same(a, b);
      }};
}

// A section that ReadSource() reads, after the sections that it depends on.
template <typename Member, typename Table>
KeyRow<SourceConfig> PartRow(KeySpec key, Member member, const Table& rows) {
  const std::string_view name = key.name;
  return {std::move(key), nullptr,
          [name, member, &rows](YamlPrinter& out, int depth, const SourceConfig& source) {
            out.Line(depth, name);
            PrintRows(out, depth + 1, rows, std::invoke(member, source));
          },
          [member, &rows](const SourceConfig& a, const SourceConfig& b) {
            return SameRows(rows, std::invoke(member, a), std::invoke(member, b));
          }};
}

const KeyRows<SourceConfig>& SourceRows() {
  static const auto kafka = [](const SourceConfig& source) -> const KafkaSpec& {
    return std::get<KafkaSpec>(source.connector);
  };
  static const KeyRows<SourceConfig> rows = {
      ConnectorRow<KafkaSpec>(
          {"kafka",
           {SectionShape{"source.kafka"}},
           "Topics of Apache Kafka, read only by this process."},
          [](YamlPrinter& out, int depth, const SourceConfig& source) {
            PrintRows(out, depth, KafkaRows(), kafka(source));
          },
          [](const SourceConfig& a, const SourceConfig& b) {
            return SameRows(KafkaRows(), kafka(a), kafka(b));
          }),
      ConnectorRow<ReplaySpec>(
          {"replay",
           {SectionShape{"source.replay"}},
           "Instead of kafka: files, for tests, tools and history. At their end every window is "
           "published and the process exits. Files that are compressed with gzip or zstd are "
           "expanded."},
          [](YamlPrinter& out, int depth, const SourceConfig& source) {
            PrintRows(out, depth, ReplayRows(), source);
          },
          [](const SourceConfig& a, const SourceConfig& b) {
            return SameRows(ReplayRows(), a, b);
          }),
      PartRow({"format",
               {SectionShape{"source.format"}},
               "How a record maps to an edge. Exactly one of json, avro and csv is required.",
               kRequired},
              &SourceConfig::format, FormatRows()),
      PartRow({"time",
               {SectionShape{"source.time"}},
               "Event time, and how long to wait for it. Optional."},
              kWhole, TimeRows()),
      PartRow({"dead_letters",
               {SectionShape{"source.dead_letters"}},
               "Records that could not be used, one JSON object a line. They can be written to a "
               "topic, too. Optional."},
              &SourceConfig::dead_letters, LettersRows()),
  };
  return rows;
}

}  // namespace

SourceConfig ReadSource(const Section& root) {
  SourceConfig config;
  if (!root.Has("source")) {
    root.FailMissing("source", "give kafka: {topics: [...]} or replay: {path: ...}, and a format");
    return config;
  }
  const Section source = root.Child("source", "source");
  const auto connector =
      source.ExactlyOne({"kafka", "replay"}, "kafka: {topics: [...]} or replay: {path: ...}");
  const bool replay = connector == "replay";
  if (connector == "kafka") {
    ReadRows(source.Child("kafka", "source.kafka"), KafkaRows(),
             config.connector.emplace<KafkaSpec>());
  }
  if (replay) {
    config.connector.emplace<ReplaySpec>();
    ReadRows(source.Child("replay", "source.replay"), ReplayRows(), config);
  }

  ReadFormatResult format = ReadFormat(source, replay);
  config.format = std::move(format.spec);
  config.format.time_origin = format.maps_time.value_or(true) ? TimeOrigin::kField
                              : replay                        ? TimeOrigin::kClock
                                                              : TimeOrigin::kKafka;
  if (source.Has("time")) {
    TimeContext context{.replay = replay, .maps_time = format.maps_time};
    const Section time = source.Child("time", "source.time");
    const FormatSpec mapped = config.format;
    if (format.says_how) TakeTimeText(FormatSpec(), config.format);
    ReadRows(time, TimeRows(), config, context);
    CheckTimeText(time, config.format);
    if (format.says_how) TakeTimeText(mapped, config.format);
    const Status unit = format.says_how ? Status(Ok{}) : CheckTimestampUnit(config.format);
    if (!unit.ok()) time.Fail("unit", "`time` in source.format " + unit.error().message);
  }
  config.time.check_ahead = !replay;
  if (source.Has("dead_letters")) {
    LettersContext context{std::get_if<KafkaSpec>(&config.connector)};
    ReadRows(source.Child("dead_letters", "source.dead_letters"), LettersRows(),
             config.dead_letters, context);
  }
  CheckDeadLetterPath(source, config);
  return config;
}

void PrintSource(YamlPrinter& out, int depth, const SourceConfig& config) {
  PrintRows(out, depth, SourceRows(), config);
}

bool SameSource(const SourceConfig& a, const SourceConfig& b) {
  return SameRows(SourceRows(), a, b);
}

std::vector<SectionSpec> SourceSections() {
  std::vector<SectionSpec> sections = {
      SectionFrom("source", SourceRows(), {"kafka", "replay"}),
      SectionFrom("source.replay", ReplayRows()), SectionFrom("source.time", TimeRows()),
      SectionFrom("source.dead_letters", LettersRows()),
      SectionFrom("source.dead_letters.outbox", LettersOutboxRows())};
  for (auto part : {KafkaSections(), FormatSections()}) {
    for (SectionSpec& section : part) sections.push_back(std::move(section));
  }
  return sections;
}

}  // namespace sash
