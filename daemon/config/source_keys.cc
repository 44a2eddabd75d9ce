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

const KeyRows<TimePolicy>& DedupeRows() {
  using Key = KeyRow<TimePolicy>;
  static const KeyRows<TimePolicy> rows = {
      Key("within", &TimePolicy::dedupe_within, TimeSpan{.zero = false},
          "An edge is left out if an edge with the same id, of another record, that counted lies "
          "at most this long before it in event time. It enters no window, and is counted "
          "(sash_engine_duplicates_total). The ids of this time are kept in memory and in "
          "checkpoints; other restarts read this much more of the stream.",
          Presence::kRequired),
  };
  return rows;
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
      ConnectorRow<SliceSourceSpec>(
          {"export",
           {SectionShape{"source.export"}},
           "Instead of kafka: exported slices (exports[].parquet.slices), for history without a "
           "broker. Windows are by event time; their slides and offsets are multiples of the "
           "length of the slices, and their filters those that windows had. A format, mappings and "
           "times are not needed and have no effect: the slices hold edges, and the counts of late "
           "and refused records. At their end every window is published and the process exits."},
          [](YamlPrinter& out, int depth, const SourceConfig& source) {
            PrintRows(out, depth, SliceSourceRows(), source);
          },
          [](const SourceConfig& a, const SourceConfig& b) {
            return SameRows(SliceSourceRows(), a, b);
          }),
      {{"format",
        {SectionShape{"source.format"}},
        "How a record maps to an edge. Exactly one of json, avro and csv is required.",
        Presence::kUnlessElsewhere},
       nullptr,
       [](YamlPrinter& out, int depth, const SourceConfig& source) {
         if (!source.format.mappings.empty() || source.slices() != nullptr) return;
         out.Line(depth, "format");
         PrintRows(out, depth + 1, FormatRows(), source.format);
       },
       [](const SourceConfig& a, const SourceConfig& b) {
         return !a.format.mappings.empty() || SameRows(FormatRows(), a.format, b.format);
       }},
      {{"mappings",
        {Items{SectionShape{"source.mappings[]"}, true}},
        "Instead of format: several mappings. A record goes through each one that takes its topic, "
        "in this order; each leaves records out and refuses edges for itself. Records of other "
        "topics are only counted. See connectors/codec/mappings.md."},
       nullptr,
       [](YamlPrinter& out, int depth, const SourceConfig& source) {
         PrintMappings(out, depth, source.format);
       },
       [](const SourceConfig& a, const SourceConfig& b) {
         return SameMappings(a.format, b.format);
       }},
      {{"dedupe",
        {SectionShape{"source.dedupe"}},
        "Leaves out repeated edges: those whose id (`id` of a mapping) an earlier edge has. Only "
        "with windows by event time. Optional."},
       nullptr,
       [](YamlPrinter& out, int depth, const SourceConfig& source) {
         if (source.time.dedupe_within == Duration::zero()) return;
         out.Line(depth, "dedupe");
         PrintRows(out, depth + 1, DedupeRows(), source.time);
       },
       [](const SourceConfig& a, const SourceConfig& b) {
         return SameRows(DedupeRows(), a.time, b.time);
       }},
      {{"time",
        {SectionShape{"source.time"}},
        "Event time, and how long to wait for it. Optional."},
       nullptr,
       [](YamlPrinter& out, int depth, const SourceConfig& source) {
         if (source.slices() != nullptr) return;
         out.Line(depth, "time");
         PrintRows(out, depth + 1, TimeRows(), source);
       },
       [](const SourceConfig& a, const SourceConfig& b) {
         return a.slices() != nullptr || SameRows(TimeRows(), a, b);
       }},
      PartRow({"dead_letters",
               {SectionShape{"source.dead_letters"}},
               "Records that could not be used, one JSON object a line. They can be written to a "
               "topic, too. Optional."},
              &SourceConfig::dead_letters, LettersRows()),
  };
  return rows;
}

ReadFormatResult ReadFormatOrMappings(const Section& source, const SourceConfig& config) {
  const bool replay = source.Has("replay") && !source.Has("kafka");
  if (!source.Has("mappings")) return ReadFormat(source, replay);
  if (source.Has("format")) {
    source.Fail("format", "cannot be given together with `mappings`; make it one of them");
  }
  return ReadMappings(source, replay, config);
}

// What source.time says holds for the mappings that do not say it themselves.
void CompleteMappings(const Section& source, const std::vector<bool>& say_how, FormatSpec& format) {
  for (std::size_t i = 0; i < format.mappings.size(); ++i) {
    FormatSpec& mapping = format.mappings[i];
    mapping.time_origin = format.time_origin;
    if (say_how[i]) continue;
    TakeTimeText(format, mapping);
    const Status unit = CheckTimestampUnit(mapping);
    if (unit.ok()) continue;
    source.Fail("mappings",
                "`time` in mapping " + mapping.name + " " + std::string(unit.error().message));
  }
}

void ReadDedupe(const Section& source, SourceConfig& config) {
  if (!source.Has("dedupe")) return;
  const Section dedupe = source.Child("dedupe", "source.dedupe");
  ReadRows(dedupe, DedupeRows(), config.time);
  if (config.time.dedupe_within == Duration::zero()) return;  // an error, which was reported
  if (config.slices() != nullptr) return;  // they have the ids
  if (config.format.AnyEdge([](const auto& edge) { return edge.id.has_value(); })) return;
  dedupe.Fail("within",
              "needs ids, and no mapping has one: name the field with the id of an edge as `id`");
}

void ReadLetters(const Section& source, SourceConfig& config) {
  if (source.Has("dead_letters")) {
    LettersContext context{std::get_if<KafkaSpec>(&config.connector)};
    ReadRows(source.Child("dead_letters", "source.dead_letters"), LettersRows(),
             config.dead_letters, context);
  }
  CheckDeadLetterPath(source, config);
}

// Slices hold edges, so of the keys about records only the kind of vertex keys is left.
void KeepForSlices(const Section& source, KeyKind keys, SourceConfig& config) {
  const bool says_keys = source.Child("export", "source.export").Has("keys");
  const KeyKind of_format = config.format.keys;
  config.format = FormatSpec();
  config.format.keys = says_keys ? keys : of_format;
  config.time = TimePolicy{.check_ahead = false, .dedupe_within = config.time.dedupe_within};
}

}  // namespace

SourceConfig ReadSource(const Section& root) {
  SourceConfig config;
  if (!root.Has("source")) {
    root.FailMissing("source",
                     "give kafka: {topics: [...]} or replay: {path: ...}, and a format; or export: "
                     "{path: ...}");
    return config;
  }
  const Section source = root.Child("source", "source");
  const auto connector =
      source.ExactlyOne({"kafka", "replay", "export"},
                        "kafka: {topics: [...]}, replay: {path: ...} or export: {path: ...}");
  const bool replay = connector == "replay";
  if (connector == "kafka") {
    ReadRows(source.Child("kafka", "source.kafka"), KafkaRows(),
             config.connector.emplace<KafkaSpec>());
  }
  if (replay) {
    config.connector.emplace<ReplaySpec>();
    ReadRows(source.Child("replay", "source.replay"), ReplayRows(), config);
  }

  if (connector == "export") {
    config.connector.emplace<SliceSourceSpec>();
    ReadRows(source.Child("export", "source.export"), SliceSourceRows(), config);
  }
  const bool is_mapped = config.slices() == nullptr || source.Has("format") ||
                         source.Has("mappings");
  const KeyKind stored_keys = config.format.keys;

  ReadFormatResult format =
      is_mapped ? ReadFormatOrMappings(source, config) : ReadFormatResult();
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
    const bool is_checked = format.says_how || !config.format.mappings.empty();
    const Status unit = is_checked ? Status(Ok{}) : CheckTimestampUnit(config.format);
    if (!unit.ok()) time.Fail("unit", "`time` in source.format " + unit.error().message);
  }
  CompleteMappings(source, format.say_how, config.format);
  ReadDedupe(source, config);
  config.time.check_ahead = !replay;
  if (config.slices() != nullptr) KeepForSlices(source, stored_keys, config);
  ReadLetters(source, config);
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
      SectionFrom("source", SourceRows(), {"kafka", "replay", "export"}),
      SectionFrom("source.replay", ReplayRows()),
      SectionFrom("source.export", SliceSourceRows()),
      SectionFrom("source.time", TimeRows()),
      SectionFrom("source.dedupe", DedupeRows()),
      SectionFrom("source.dead_letters", LettersRows()),
      SectionFrom("source.dead_letters.outbox", LettersOutboxRows())};
  for (auto part : {KafkaSections(), FormatSections(), MappingSections()}) {
    for (SectionSpec& section : part) sections.push_back(std::move(section));
  }
  return sections;
}

}  // namespace sash
