#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "connectors/codec/envelope_uses.h"
#include "daemon/config/destination_form.h"
#include "daemon/config/key_row.h"
#include "daemon/config/scalar_text.h"
#include "daemon/config/sections.h"
#include "daemon/config/text_shapes.h"
#include "daemon/config/time_forms.h"

namespace sash {
namespace {

// Form of a percentage of records.
struct PercentageForm {
  std::vector<Shape> Shapes() const {
    return {Text{R"(^(100(\.0{1,4})?|0?[0-9]{1,2}(\.[0-9]{1,4})?) ?%$)", kNothing,
                 "a percentage such as 50%"}};
  }
  void Read(const Section& section, const KeySpec& key, double& percent) const {
    section.Read(key.name, percent, "a percentage such as 50%", ParsePercentage);
  }
  void Print(YamlPrinter& out, int depth, const KeySpec& key, double percent) const {
    out.Line(depth, key.name, FormatPercentage(percent));
  }
};

// Form of the files of a replay: one path, or a list.
struct PathsForm {
  static constexpr std::string_view kExpected =
      "the path of a file, \"-\" for standard input, or a list of paths";

  std::vector<Shape> Shapes() const { return {kAnyText, Items{kAnyText, true}}; }
  void Read(const Section& replay, const KeySpec& key, std::vector<std::string>& paths) const {
    if (!replay.Has(key.name))
      return replay.FailMissing(key.name, fmt::format("give {}", kExpected));
    const Place place = replay.At(key.name);
    if (place.node->kind != YamlNode::Kind::kList) {
      std::string path;
      if (ReadAt(place, path, kExpected, ParseNonEmpty, replay.errors())) paths = {path};
      return;
    }
    const std::vector<Place> items = replay.Items(key.name, kExpected);
    if (items.empty()) replay.Fail(key.name, "is empty; give at least one path");
    for (const Place& item : items) {
      std::string path;
      const auto parse = [&](std::string_view text) -> Result<std::string> {
        if (text == "-" && items.size() > 1) {
          return Wrong("is standard input, which cannot be one of several files; give it alone");
        }
        if (std::ranges::find(paths, text) == paths.end()) return ParseNonEmpty(text);
        return Wrong(fmt::format("`{}` is listed twice; keep one", text));
      };
      if (ReadAt(item, path, "the path of a file", parse, replay.errors())) paths.push_back(path);
    }
  }
  void Print(YamlPrinter& out, int depth, const KeySpec& key,
             const std::vector<std::string>& paths) const {
    out.Line(depth, key.name, paths.size() == 1 ? Quote(paths.front()) : QuoteAll(paths));
  }
};

template <typename Member>
auto OfReplay(Member member) {
  return Of(
      [](auto& source) -> auto& { return std::get<ReplaySpec>(source.connector); }, member);
}

// The keys of a source that is a replay.
const KeyRows<SourceConfig>& ReplayRows() {
  using Key = KeyRow<SourceConfig>;
  static const KeyRows<SourceConfig> rows = {
      Key("path", OfReplay(&ReplaySpec::paths), PathsForm{},
          "The path of a file; a pattern of glob(7), which reads its files in the order of the "
          "bytes of their names; or a list of both. Each file has its own header. \"-\" is "
          "standard input.",
          kRequired)
          .Range("any path, or a list of paths, each once"),
      Key("pace", OfReplay(&ReplaySpec::pace),
          OneOf<ReplayPace>{{"full", ReplayPace::kFull}, {"event_time", ReplayPace::kEventTime}},
          "full: as fast as possible; event_time: as fast as the events happened."),
      Key("at_end", OfReplay(&ReplaySpec::at_end),
          OneOf<ReplayEnd>{{"exit", ReplayEnd::kExit}, {"stay", ReplayEnd::kStay}},
          "After the last window: exit, or stay until the process is stopped, so that the API and "
          "the console can be looked at."),
      Key("refuse_at_most", &SourceConfig::refuse_at_most, PercentageForm{},
          "If a greater share of the records is refused (late records do not count), the process "
          "exits with code 1 and reports why and where; the results remain. With sashd --replay, "
          "use the option --refuse-at-most instead.")
          .Range("0% to 100%"),
  };
  return rows;
}

struct TimeContext {
  bool replay = false;
  std::optional<bool> maps_time;  // none: unknown, the format is invalid
};

void CheckOrigin(const Section& time, const TimeContext& context, TimeOrigin origin) {
  if (origin == TimeOrigin::kField && context.maps_time == false) {
    time.Fail("from", fmt::format("is `field`, but the format maps no time; map `time` in "
                                  "source.format, or give {}",
                                  context.replay ? "clock" : "kafka or clock"));
  }
  if (origin == TimeOrigin::kKafka && context.replay) {
    time.Fail("from", "is `kafka`, but a replay has no Kafka timestamps; give field or clock");
  }
}

struct AheadLimitForm {
  std::vector<Shape> Shapes() const { return {TimeSpan{}, Words{{"auto"}}}; }
  void Read(const Section& time, const KeySpec& key, TimePolicy& policy) const {
    constexpr Duration kAuto(-1);
    Duration limit = kAuto;
    time.ReadOr(key.name, limit, {{"auto", kAuto}});
    policy.auto_ahead_limit = limit == kAuto;
    if (!policy.auto_ahead_limit) policy.ahead_limit = limit;
  }
  void Print(YamlPrinter& out, int depth, const KeySpec& key, const TimePolicy& policy) const {
    out.Line(depth, key.name,
             policy.auto_ahead_limit ? "auto" : FormatDuration(policy.ahead_limit));
  }
  bool Same(const TimePolicy& a, const TimePolicy& b) const {
    return a.auto_ahead_limit == b.auto_ahead_limit && a.ahead_limit == b.ahead_limit &&
           a.check_ahead == b.check_ahead;
  }
};

// A row of the format, as one of the source.
KeyRow<SourceConfig, TimeContext> OfFormat(const KeyRow<FormatSpec>& row) {
  return {row.key,
          [row](const Section& time, SourceConfig& source, TimeContext& /*context*/) {
            NoContext none;
            row.Read(time, source.format, none);
          },
          [row](YamlPrinter& out, int depth, const SourceConfig& source) {
            row.binding->Print(out, depth, source.format);
          },
          [row](const SourceConfig& a, const SourceConfig& b) {
            return row.binding->Same(a.format, b.format);
          }};
}

KeyRows<SourceConfig, TimeContext> MakeTimeRows() {
  using Key = KeyRow<SourceConfig, TimeContext>;
  const auto policy = [](auto member) { return Of(&SourceConfig::time, member); };
  const auto format = [](auto member) { return Of(&SourceConfig::format, member); };
  static const OneOf<TimeOrigin> origins{
      {"field", TimeOrigin::kField}, {"kafka", TimeOrigin::kKafka}, {"clock", TimeOrigin::kClock}};
  KeyRows<SourceConfig, TimeContext> rows = {
      Key("from", format(&FormatSpec::time_origin), origins,
          "Where event time comes from. Without this key: field, if the format maps a time; "
          "otherwise kafka (the timestamps of the records), or in a replay clock. kafka is not "
          "possible in a replay.")
          .Default("field")
          .ReadBy([](const Section& time, SourceConfig& source, TimeContext& context) {
            TimeOrigin& origin = source.format.time_origin;
            if (time.Choose("from", origin, origins.choices)) CheckOrigin(time, context, origin);
          }),
      Key("disorder", policy(&TimePolicy::disorder), TimeSpan{},
          "How far the events of a partition may be out of order; events further behind are late."),
      Key("idle_after", policy(&TimePolicy::idle_after), TimeSpan{.zero = false},
          "After this time of silence, a partition that is read to its end no longer holds the "
          "watermark back."),
      Key("on_silence", policy(&TimePolicy::on_silence),
          OneOf<SilencePolicy>{{"hold", SilencePolicy::kHold}, {"clock", SilencePolicy::kClock}},
          "When all partitions are idle: the watermark stays where it is (hold), or follows the "
          "clock (clock)."),
      Key("ahead_limit", &SourceConfig::time, AheadLimitForm{},
          "An event that is further ahead of the wall clock than this waits until it is clear "
          "whether the event or the clock is wrong; a wrong event goes to dead letters. While 90 % "
          "of the newest 1,000 records are ahead, the clock seems to be wrong: nothing is refused, "
          "reading waits, and /readyz reports it. A replay has no clock: it refuses an event that "
          "is later than all previous ones by more than this, if 90 % of the next 100 events are "
          "earlier by as much. auto: the greatest of the shortest event-time slide, disorder and "
          "1m, as configured at the start."),
      Key("late", policy(&TimePolicy::late),
          OneOf<LatePolicy>{{"drop", LatePolicy::kDrop},
                            {"dead_letter", LatePolicy::kDeadLetter},
                            {"next_slice", LatePolicy::kNextSlice}},
          "What happens to late events."),
      Key("max_drift", policy(&TimePolicy::max_drift), TimeSpan{.zero = false},
          "A partition that is ahead of the slowest one by more than this, in event time, is "
          "paused."),
  };
  std::size_t place = 1;
  for (const KeyRow<FormatSpec>& row : TimeTextRows()) {
    rows.insert(rows.begin() + static_cast<std::ptrdiff_t>(place++), OfFormat(row));
  }
  return rows;
}

const KeyRows<SourceConfig, TimeContext>& TimeRows() {
  static const KeyRows<SourceConfig, TimeContext> rows = MakeTimeRows();
  return rows;
}

struct LettersContext {
  const KafkaSpec* source = nullptr;  // none: a replay
};

// Reads the topic together with the keys to reach it; these are errors without a topic.
void ReadLettersTopic(const Section& letters, DeadLetterSpec& spec, LettersContext& context) {
  if (letters.Has("topic")) {
    Uses uses{{NormalPath(spec.path), "source.dead_letters.path"}};
    spec.kafka.emplace();
    ReadDestination(letters, "source.dead_letters.outbox", context.source, uses, *spec.kafka);
    return;
  }
  for (const char* key : {"brokers", "outbox", "options"}) {
    if (!letters.Has(key)) continue;
    letters.Fail(key, "has no effect without a topic; give topic, or leave it out");
  }
}

const KeyRows<OutboxSpec>& LettersOutboxRows() {
  static const KeyRows<OutboxSpec> rows = OutboxRows(
      "How much may wait. At the limit, letters do not reach the topic and are counted; the file "
      "contains them.");
  return rows;
}

const KeyRows<DeadLetterSpec, LettersContext>& LettersRows() {
  using Key = KeyRow<DeadLetterSpec, LettersContext>;
  const auto topic = [](auto& letters) { return letters.kafka ? &*letters.kafka : nullptr; };
  static const KeyRows<DeadLetterSpec, LettersContext> rows = {
      Key("path", &DeadLetterSpec::path, TextForm{kFile, "the path of a file", ParseFilePath},
          "The file; nothing else in the configuration may use it."),
      Key("limit", &DeadLetterSpec::limit_bytes, ByteSize{4096},
          "At this size, the file loses its older half."),
      Key("topic", topic, TopicForm(),
          "A topic to which each record is written too, with its key and value unchanged, and with "
          "headers that say where it was and why it was refused "
          "(connectors/sinks/dead-letters.md). It may not be a topic of the source.")
          .ReadBy(ReadLettersTopic)
          .InTurn(1),
      Key("brokers", topic, BrokersForm(), kBrokersAbout).Range(kBrokersRange).ReadBy(nullptr),
      Key("outbox", topic, OutboxForm("source.dead_letters.outbox", LettersOutboxRows()),
          "A folder in which letters wait until the brokers have them, even after a restart.")
          .ReadBy(nullptr)
          .InTurn(2),
      Key("options", topic, ProducerOptionsForm(), kProducerOptionsAbout).ReadBy(nullptr).InTurn(2),
  };
  return rows;
}

// Writing into the file that is being replayed would destroy it.
void CheckDeadLetterPath(const Section& source, const SourceConfig& config) {
  const auto* replay = std::get_if<ReplaySpec>(&config.connector);
  if (replay == nullptr) return;
  const std::string letters = NormalPath(config.dead_letters.path);
  if (std::ranges::none_of(replay->paths, [&](const std::string& path) {
        return path != "-" && NormalPath(path) == letters;
      })) {
    return;
  }
  const std::string message =
      fmt::format("`{}` is the file that source.replay.path reads; give another file",
                  config.dead_letters.path);
  if (source.Has("dead_letters")) {
    source.Child("dead_letters", "source.dead_letters").Fail("path", message);
  } else {
    source.Fail("dead_letters", message);
  }
}

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
               "How a record maps to an edge. Exactly one of json and csv is required.",
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
