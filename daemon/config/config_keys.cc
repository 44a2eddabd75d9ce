// The keys at the root, and the functions that walk over all rows.
#include <algorithm>
#include <chrono>
#include <variant>

#include "daemon/config/config_change.h"
#include "daemon/config/key_row.h"
#include "daemon/config/parse_config.h"
#include "daemon/config/plugin_keys.h"
#include "daemon/config/sections.h"
#include "daemon/config/text_shapes.h"

namespace sash {
namespace {

// Valid events may be one slide, or `disorder`, ahead of others, so the limit is at least that.
Duration AutoAheadLimit(const Config& config) {
  Duration shortest = Duration::max();
  for (const WindowSpec& window : config.windows) {
    if (window.by == WindowAxis::kEventTime) shortest = std::min(shortest, Duration(window.slide));
  }
  const Duration least = std::max<Duration>(config.source.time.disorder, std::chrono::minutes(1));
  return shortest == Duration::max() ? least : std::max(shortest, least);
}

bool HasRemovals(const FormatSpec& format) {
  if (std::ranges::any_of(format.mappings, HasRemovals)) return true;
  const auto* json = std::get_if<JsonMapping>(&format.mapping);
  return format.tombstone == TombstonePolicy::kRemove ||
         (json != nullptr && json->unwrap == Unwrap::kDebezium) ||
         format.AnyEdge([](const auto& mapping) { return mapping.operation.has_value(); });
}

// A section or list with its own functions; `read` returns the new value of the member.
template <typename Part>
KeyRow<Config> RootRow(KeySpec key, Part Config::*member,
                       Part (*read)(const Section&, const Config&),
                       void (*print)(YamlPrinter&, std::string_view key, const Part&),
                       bool (*same)(const Part&, const Part&)) {
  const std::string_view name = key.name;
  return {std::move(key),
          [member, read](const Section& root, Config& config, NoContext& /*none*/) {
            config.*member = read(root, config);
          },
          [member, print, name](YamlPrinter& out, int /*depth*/, const Config& config) {
            print(out, name, config.*member);
          },
          [member, same](const Config& a, const Config& b) { return same(a.*member, b.*member); }};
}

template <typename Item, auto print>
void PrintItems(YamlPrinter& out, std::string_view key, const std::vector<Item>& items) {
  out.Line(0, key, items.empty() ? "[]" : "");
  for (const Item& item : items) {
    out.BeginItem();
    print(out, 2, item);
  }
}

void PrintSink(YamlPrinter& out, int depth, const SinkSpec& sink) {
  PrintRows(out, depth, SinkRows(), sink);
}

bool SameSink(const SinkSpec& a, const SinkSpec& b) { return SameRows(SinkRows(), a, b); }

void PrintExport(YamlPrinter& out, int depth, const ExportSpec& spec) {
  PrintRows(out, depth, ExportRows(), spec);
}

template <auto print, typename Part>
void PrintPart(YamlPrinter& out, std::string_view key, const Part& part) {
  out.Line(0, key);
  print(out, 1, part);
}

// Whether edges may be removed. What slices hold is not known before they are read.
bool MayRemove(const SourceConfig& source) {
  return source.slices() != nullptr || HasRemovals(source.format);
}

KeyRows<Config> StreamRows() {
  return {
      RootRow<SourceConfig>(
          {"source",
           {SectionShape{"source"}},
           "Where edges come from. Exactly one of kafka, replay and export is required.",
           kRequired},
          &Config::source,
          [](const Section& root, const Config& /*config*/) { return ReadSource(root); },
          PrintPart<PrintSource, SourceConfig>, SameSource),
      // config_tree.h has already added the included files to the tree.
      {{"include",
        {Items{Text{"", kAnything, "the path of a file"}}},
        "Further files of this configuration; paths are relative to this file. Their content "
        "counts as if written at the end of this file: sections, windows, jobs, sinks and "
        "exports are joined; any other key given twice is an error. An included file may include "
        "others.",
        kOptional,
        Change::kRestart,
        "",
        "paths of files, each once"},
       nullptr,
       nullptr,
       nullptr},
      RootRow<std::vector<WindowSpec>>(
          {"windows",
           {Items{SectionShape{"windows[]"}, true}},
           "The windows over the stream. Required: at least one.",
           kRequired},
          &Config::windows,
          [](const Section& root, const Config& config) {
            return ReadWindows(root, MayRemove(config.source), config.source);
          },
          PrintItems<WindowSpec, PrintWindow>, [](const auto& a, const auto& b) { return a == b; }),
      RootRow<std::vector<JobSpec>>(
          {"jobs", {Items{SectionShape{"jobs[]"}}}, "What runs on the windows. Optional."},
          &Config::jobs,
          [](const Section& root, const Config& config) {
            return ReadJobs(root, config.source.format.keys);
          },
          PrintItems<JobSpec, PrintJob>,
          [](const auto& a, const auto& b) { return std::ranges::equal(a, b, SameJob); }),
      KeyRow<Config>(
          "plugins", &Config::plugins, PluginPathsForm{},
          "The folders and files from which plug-ins are loaded (`kernel: plugin`). A plug-in is "
          "code that runs in the process of sashd: it can do what sashd can do, and when it "
          "crashes, sashd ends. So a plug-in, and the folder that it is in, must belong to root or "
          "to the user of sashd, and nobody else may write to them. A plug-in that is loaded stays "
          "loaded: give a new version a new name, or restart.",
          kOptional, kLive)
          .Range("paths of folders and files, each once"),
      KeyRow<Config>(
          "runners", &Config::runners, WholeNumber{1, 64},
          "How many jobs may run at the same time. With several runners, a short job does not wait "
          "for a long one, as long as a runner is idle; a job never runs twice at once. Runs share "
          "the cores, except one core that is kept for reading (with one runner, a run may use "
          "all). Each runner needs the temporary memory of a run. A replay has one runner."),
      RootRow<std::vector<SinkSpec>>(
          {"sinks", {Items{SectionShape{"sinks[]"}}}, "Where results go. Optional."},
          &Config::sinks,
          [](const Section& root, const Config& config) {
            return ReadSinks(root, config.source, config.jobs);
          },
          PrintItems<SinkSpec, PrintSink>,
          [](const auto& a, const auto& b) { return std::ranges::equal(a, b, SameSink); }),
      RootRow<std::vector<ExportSpec>>(
          {"exports",
           {Items{SectionShape{"exports[]"}}},
           "Windows and slices as files, for other processes. Optional."},
          &Config::exports,
          [](const Section& root, const Config& /*config*/) { return ReadExports(root); },
          PrintItems<ExportSpec, PrintExport>, [](const auto& a, const auto& b) { return a == b; }),
      RootRow<std::vector<AlertSpec>>(
          {"alerts",
           {Items{SectionShape{"alerts[]"}}},
           "Conditions on results, and the sinks that get an alert when one holds. Optional."},
          &Config::alerts, ReadAlerts, PrintItems<AlertSpec, PrintAlert>,
          [](const auto& a, const auto& b) { return std::ranges::equal(a, b); }),
  };
}

KeyRows<Config> ProcessRows() {
  using Key = KeyRow<Config>;
  static const OneOf<RecoveryConfig::Kind> kinds{{"replay", RecoveryConfig::Kind::kReplay},
                                                 {"checkpoint", RecoveryConfig::Kind::kCheckpoint}};
  return {
      RootRow<HttpConfig>(
          {"http", {SectionShape{"http"}, Words{{"off", "false"}}}, "The HTTP API. Optional."},
          &Config::http,
          [](const Section& root, const Config& /*config*/) { return ReadHttp(root); },
          PrintPart<PrintHttp, HttpConfig>, SameHttp),
      Key("log", &Config::log, Nested<LogConfig>{"log", LogRows()},
          "The log, on standard error. Optional."),
      Key("memory", &Config::memory, Nested<MemoryConfig>{"memory", MemoryRows()},
          "How much memory the process may use. Optional. Above 80 % of the limit, reading is "
          "slowed down; above 95 %, reading stops until memory is free again."),
      Key("recovery", Of(&Config::recovery, &RecoveryConfig::kind), kinds,
          "How windows are restored after a restart. `replay`: they are read again from the topic, "
          "from the oldest slice of a window on; a journal records how they were cut. `checkpoint` "
          "(only with source.kafka): they are stored on disk, and reading continues at the end of "
          "the newest checkpoint, whatever source.kafka.start says; offsets are committed only "
          "when a checkpoint is durable.")
          .ReadBy([](const Section& root, Config& config, NoContext& /*none*/) {
            root.Choose("recovery", config.recovery.kind, kinds.choices);
            if (config.recovery.kind != RecoveryConfig::Kind::kCheckpoint) return;
            if (!config.source.is_replay()) return;
            root.Fail("recovery",
                      "a replay always starts from the beginning; only source.kafka can continue "
                      "from a checkpoint");
          }),
      Key("state", &Config::recovery, Nested<RecoveryConfig>{"state", StateRows()},
          "Where checkpoints are stored, and how often. With `recovery: replay`: where the journal "
          "is stored, for windows by `events` or `processing_time`, or for all windows if this "
          "section is given. Optional.")
          .ReadBy([](const Section& root, Config& config, NoContext& /*none*/) {
            if (!root.Has("state")) return;
            config.recovery.is_placed = true;
            ReadRows(root.Child("state", "state"), StateRows(), config.recovery);
          }),
      Key("shutdown_deadline", &Config::shutdown_deadline, TimeSpan{.zero = false},
          "The longest time that stopping may take. Then the remaining work is abandoned.", kLive),
  };
}

const KeyRows<Config>& RootRows() {
  static const KeyRows<Config> rows = [] {
    KeyRows<Config> all = StreamRows();
    for (auto& row : ProcessRows()) all.push_back(std::move(row));
    return all;
  }();
  return rows;
}

// A pattern must not match them.
void NoteOwnTopics(Config& config) {
  auto* const kafka = std::get_if<KafkaSpec>(&config.source.connector);
  if (kafka == nullptr || kafka->topic_pattern.empty()) return;
  if (const auto& letters = config.source.dead_letters.kafka) {
    kafka->own_topics.push_back(letters->topic);
  }
  for (const SinkSpec& sink : config.sinks) {
    if (const auto* to = std::get_if<KafkaSinkSpec>(&sink)) kafka->own_topics.push_back(to->topic);
  }
}

}  // namespace

Config ReadRoot(const Section& root) {
  Config config;
  ReadRows(root, RootRows(), config);
  NoteOwnTopics(config);
  config.source.format.JudgeBy(FiltersOf(config.windows));
  if (config.source.time.auto_ahead_limit) config.source.time.ahead_limit = AutoAheadLimit(config);
  return config;
}

std::string PrintConfig(const Config& config) {
  YamlPrinter out;
  PrintRows(out, 0, RootRows(), config);
  return out.Take();
}

bool SameConfig(const Config& a, const Config& b) { return SameRows(RootRows(), a, b); }

void TakeLiveKeys(const Config& from, Config& to) { TakeLiveRows(RootRows(), from, to); }

std::vector<SectionSpec> RootSections() { return {SectionFrom("", RootRows())}; }

}  // namespace sash
