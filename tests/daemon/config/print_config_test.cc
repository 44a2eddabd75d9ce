#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <random>

#include "connectors/sinks/named_rows.h"
#include "connectors/sinks/result_diff.h"
#include "daemon/config/parse_item.h"
#include "tests/daemon/config/config_equality.h"
#include "tests/daemon/config/config_text.h"
#include "tests/support/seed_range.h"

namespace sash {
namespace {

// A random valid configuration.
class RandomConfig {
 public:
  explicit RandomConfig(std::uint32_t seed) : random_(seed) {}

  Config Make() {
    Config config;
    const bool replay = Coin();
    if (replay) {
      config.source.connector = ReplaySpec{{"in/" + Text()},
                                           Pick(ReplayPace::kFull, ReplayPace::kEventTime),
                                           Pick(SourceEnd::kExit, SourceEnd::kStay)};
      if (Coin()) std::get<ReplaySpec>(config.source.connector).paths.push_back("in/*" + Text());
    } else {
      config.source.connector = Kafka();
    }
    MakeFormat(config.source.format, replay);
    MakeTime(config.source.time);
    config.source.time.check_ahead = !replay;
    config.source.dead_letters = {"dead/" + Text() + "x", 4096 + Number(1 << 30)};
    for (std::uint64_t i = 0; i < 1 + Number(3); ++i) config.windows.push_back(Window(config, i));
    if (replay && Number(3) == 0) ReadSlicesInstead(config);
    for (std::uint64_t i = 0; i < Number(3); ++i) config.exports.push_back(Export(config, i));
    for (std::uint64_t i = 0; i < Number(4); ++i) config.jobs.push_back(Job(config, i));
    for (std::uint64_t i = 0; i < Number(3); ++i) config.sinks.push_back(Sink(config, i));
    config.http.enabled = Coin();
    if (config.http.enabled) {
      config.http.host = Coin() ? "::1" : "127.1.2.3";
      config.http.port = static_cast<std::uint16_t>(Number(65536));
    }
    if (Coin()) config.http.tls = TlsConfig{Text() + "x", Text() + "x"};
    if (Coin()) {
      setenv("SASH_TEST_READ", "0123456789abcdef", 1);
      setenv("SASH_TEST_ADMIN", "fedcba9876543210", 1);
      // A token without a reference would be redacted.
      config.http.tokens = TokensConfig{{"0123456789abcdef", "${env:SASH_TEST_READ}"},
                                        {"fedcba9876543210", "${env:SASH_TEST_ADMIN}"}};
    }
    if (Coin()) config.http.metrics_listen = ListenAddress{"0.0.0.0", 9641};
    config.http.connections_per_address = 1 + static_cast<std::uint32_t>(Number(1000));
    config.log = {Pick(LogFormat::kText, LogFormat::kJson),
                  Pick(LogLevel::kTrace, LogLevel::kInfo, LogLevel::kError),
                  {.burst = 1 + static_cast<std::uint32_t>(Number(1000)),
                   .every = std::chrono::milliseconds(1 + Number(10000))}};
    config.memory.kind =
        Pick(MemoryConfig::Kind::kAutomatic, MemoryConfig::Kind::kNone, MemoryConfig::Kind::kBytes);
    if (config.memory.kind == MemoryConfig::Kind::kBytes) {
      config.memory.limit_bytes = MemoryConfig::kLeastLimit + Number(1 << 30);
    }
    config.recovery.kind =
        replay || Coin() ? RecoveryConfig::Kind::kReplay : RecoveryConfig::Kind::kCheckpoint;
    if (Coin()) config.memory.spill = "spill/" + Text() + "x";
    config.recovery.path = "state/" + Text() + "x";
    config.recovery.interval = Time();
    config.recovery.rebuilds = Coin();
    if (Coin()) {
      config.source.dead_letters.kafka.emplace();
      Destination(config, "letters", *config.source.dead_letters.kafka);
    }
    config.shutdown_deadline = Time();
    config.runners = 1 + Number(64);
    return config;
  }

 private:
  std::uint64_t Number(std::uint64_t below) { return random_() % below; }
  bool Coin() { return Number(2) == 0; }

  template <typename T, typename... Ts>
  T Pick(T first, Ts... others) {
    const T all[] = {first, others...};
    return all[Number(sizeof...(others) + 1)];
  }

  // Text that is difficult to print.
  std::string Text() {
    static const std::vector<std::string> pieces = {"a",
                                                    " ",
                                                    "\"",
                                                    "\\",
                                                    "\n",
                                                    "\t",
                                                    "\r",
                                                    "é",
                                                    "日本",
                                                    ": ",
                                                    " #",
                                                    "${env:HOME}",
                                                    "$",
                                                    "{",
                                                    "}",
                                                    "'",
                                                    "\x01",
                                                    "\x7f",
                                                    "-",
                                                    "\xc2\x85",
                                                    "\xe2\x80\xa8",
                                                    "\xef\xbb\xbf",
                                                    "\xf0\x9f\x98\x80",
                                                    "1",
                                                    "null",
                                                    "~",
                                                    "%"};
    std::string text;
    for (std::uint64_t i = 0; i < 1 + Number(6); ++i) text += pieces[Number(pieces.size())];
    return text;
  }

  std::string Pointer() {
    std::string text = Text();
    std::erase(text, '~');
    return "/~0~1" + text;
  }

  Duration Time() {
    static const Duration units[] = {Duration(1), Duration(1000), std::chrono::seconds(1),
                                     std::chrono::hours(24)};
    return units[Number(4)] * static_cast<std::int64_t>(1 + Number(7300));
  }

  KafkaSpec Kafka() {
    KafkaSpec kafka;
    kafka.brokers = Pick("embedded", "a:1", "a:1,[::1]:65535");
    kafka.topics = {"t.1", "t-2"};
    if (Coin()) {
      kafka.topics.clear();
      kafka.topic_pattern = Pick("^t[.-]", "^t[.-]\\d$", "t|\"");
    }
    kafka.group = Text();
    switch (Number(5)) {
      case 0:
        kafka.start = StartEarliest{};
        break;
      case 1:
        kafka.start = StartLatest{};
        break;
      case 2:
        kafka.start = StartTimestamp{EventTime(Duration(random_()))};
        break;
      case 3:
        kafka.start = StartExplicit{{{"t.1", {{0, 5}, {7, INT64_MAX}}}, {"t-2", {{1, 0}}}}};
        break;
      default:
        break;
    }
    kafka.stall_after = Time();
    kafka.decode_threads = static_cast<int>(Number(65));
    if (Coin()) kafka.options = {{"debug", Text()}, {"client.id", ""}, {Text() + "!", Text()}};
    return kafka;
  }

  CsvColumn Column(bool number) {
    if (number) return static_cast<std::uint32_t>(1 + Number(100));
    return Coin() ? "12" : Text();
  }

  template <typename Field>
  KeyParts<Field> Parts(const Field& more, KeyKind keys) {
    KeyParts<Field> parts;
    parts.text.trim = Coin();
    if (keys == KeyKind::kInteger) return parts;
    if (Coin()) parts.rest = {{more}, Pick(":", "", "\"")};
    parts.text.letters = Pick(LetterCase::kAsWritten, LetterCase::kLower, LetterCase::kUpper);
    if (Coin()) parts.text.prefix = Text();
    return parts;
  }

  template <typename Mapping>
  void MakeTexts(Mapping& mapping) {
    if (mapping.weight && Coin()) {
      mapping.weight_text = {
          Pick('.', ','), Pick("", " ", "'", "\u202f"),
          Pick(InvalidWeight::kRefuse, InvalidWeight::kOne, InvalidWeight::kZero)};
    }
    if (mapping.operation && Coin()) {
      mapping.operation_words = {{"c" + Text(), "r"}, {Text() + "d"}, {}, {Text() + "s"}};
    }
  }

  // If all windows are by event time.
  void ReadSlicesInstead(Config& config) {
    for (const WindowSpec& window : config.windows) {
      if (window.by != WindowAxis::kEventTime) return;
    }
    config.source.connector =
        SliceSourceSpec{"in/" + Text(), Pick(SourceEnd::kExit, SourceEnd::kStay)};
    const KeyKind keys = config.source.format.keys;
    config.source.format = FormatSpec();
    config.source.format.keys = keys;
    config.source.time = TimePolicy{.check_ahead = false};
    for (WindowSpec& window : config.windows) window.removals = true;
  }

  void MakeFormat(FormatSpec& format, bool replay) {
    const bool time = Coin();
    format.keys = Pick(KeyKind::kString, KeyKind::kInteger);
    if (Coin()) {
      JsonMapping json{Pointer(), "", {}, {}, {}};
      for (auto* field : {&json.weight, &json.operation}) {
        if (Coin()) *field = Pointer();
      }
      if (time) json.time = "/t";
      if (time && Coin()) json.time_rest = {{Pointer(), Pointer()}, Pick(" ", "T", "")};
      if (Coin()) {
        json.weight = replay ? Pick("$topic", "$partition")
                             : Pick("$key", "$key/~0a", "$header.a: #\"", "$timestamp");
      }
      json.source_parts = Parts(Pointer(), format.keys);
      json.target_parts = Parts(Pointer(), format.keys);
      if (Coin()) {
        json.type = Pointer();
        json.type_parts = Parts(Pointer(), KeyKind::kString);
      } else if (Coin()) {
        json.type_word = Pick("paid", "a: #", "a${env:HOME}", "7");
      }
      if (Coin()) json.id = Pointer();
      if (json.id && Coin()) json.id_parts = Parts(Pointer(), KeyKind::kString);
      MakeTexts(json);
      if (Coin()) json.text_at = Pick("", "/~0a: #");
      json.unwrap = Pick(Unwrap::kNone, Unwrap::kConnect, Unwrap::kCloudEvents);
      json.both_directions = Coin();
      for (std::uint64_t more = Coin() ? Number(3) : 0; more > 0; --more) {
        JsonMapping edge{Pointer(), "$record" + Pointer(), {}, {}, {}};
        if (time) edge.time = "/other";
        edge.both_directions = Coin();
        json.more_edges.push_back(edge);
      }
      if (Coin()) json.each = json.more_edges.empty() ? "" : Pick("/each", "/a/each");
      format.mapping = json;
    } else {
      const bool number = Coin();
      CsvMapping csv{Column(number),
                     Column(number),
                     {},
                     {},
                     {},
                     Pick(',', '\t', '|', '\\', ' ', '#', kBlanks)};
      for (auto* field : {&csv.weight, &csv.operation}) {
        if (Coin()) *field = Column(number);
      }
      if (time) csv.time = Column(number);
      if (time && Coin()) csv.time_rest = {{Column(number)}, Pick(" ", "\"", ", ")};
      if (Coin()) {
        csv.weight = EnvelopeName(replay ? Pick("$topic", "$partition")
                                         : Pick("$key", "$header.x-y", "$timestamp"));
      }
      csv.source_parts = Parts(Column(number), format.keys);
      csv.target_parts = Parts(Column(number), format.keys);
      if (Coin()) {
        csv.type = Column(number);
        csv.type_parts = Parts(Column(number), KeyKind::kString);
      } else if (Coin()) {
        csv.type_word = Pick("paid", "$a: #", "${env:HOME}", "7");
      }
      if (Coin()) csv.id = Column(number);
      if (csv.id && Coin()) csv.id_parts = Parts(Column(number), KeyKind::kString);
      MakeTexts(csv);
      csv.quotes = Coin();
      csv.multiline = Coin() && csv.quotes && csv.delimiter != kBlanks;
      if (Coin()) csv.comment = Pick("#", "//", "\"%", "${env:HOME}");
      csv.skip_rows = Number(1'000'001);
      csv.both_directions = Coin();
      format.mapping = csv;
    }
    if (Coin()) {
      format.where = Pick("$partition == 1", replay ? "true" : "$key != \"a: # \u00e9\"",
                          "size($topic) >\n 3", "$topic == '${env:HOME}' || true");
    }
    if (Coin()) format.nulls = {"", "-" + Text()};
    format.tombstone =
        Pick(TombstonePolicy::kIgnore, TombstonePolicy::kRemove, TombstonePolicy::kDeadLetter);
    const auto* json = std::get_if<JsonMapping>(&format.mapping);
    if (json != nullptr && json->each && format.tombstone == TombstonePolicy::kRemove) {
      format.tombstone = TombstonePolicy::kIgnore;
    }
    format.time_origin = time && Coin() ? TimeOrigin::kField
                         : replay       ? TimeOrigin::kClock
                                        : TimeOrigin::kKafka;
    MakeTimeText(format);
  }

  void MakeTimeText(FormatSpec& format) {
    format.time_unit = static_cast<TimeUnit>(Number(kTimeUnitCount));
    if (format.time_unit == TimeUnit::kStep)
      format.time_step = std::chrono::minutes(1 + Number(99));
    const bool numbers = CountsIn(format.time_unit) || format.time_unit == TimeUnit::kStep;
    if (numbers && Coin())
      format.time_base = EventTime(
          std::chrono::milliseconds(static_cast<std::int64_t>(Number(1 << 30)) - (1 << 29)));
    if (format.time_unit == TimeUnit::kFormat) {
      format.time_format = Coin() ? "%Y/%m/%d \"%T\"" : "%F %z";
      if (format.time_format != "%F %z") format.time_zone = Coin() ? "UTC" : "Europe/Berlin";
    }
    if (format.time_unit == TimeUnit::kIso8601 && Coin()) format.time_zone = "Asia/Kolkata";
  }

  void MakeTime(TimePolicy& time) {
    time.disorder = Coin() ? Duration(0) : Time();
    time.idle_after = Time();
    time.on_silence = Pick(SilencePolicy::kHold, SilencePolicy::kClock);
    time.ahead_limit = Coin() ? Duration(0) : Time();
    time.auto_ahead_limit = false;
    time.late = Pick(LatePolicy::kDrop, LatePolicy::kDeadLetter, LatePolicy::kNextSlice);
    time.max_drift = Time();
  }

  WindowSpec Window(const Config& config, std::uint64_t index) {
    WindowSpec window;
    window.name = "w." + std::to_string(index);
    window.by = Pick(WindowAxis::kEventTime, WindowAxis::kProcessingTime, WindowAxis::kEvents);
    window.slide = static_cast<std::int64_t>(kShortestSlide + Number(1'000'000'000));
    if (Coin()) window.length = window.slide * static_cast<std::int64_t>(1 + Number(1000));
    // Half a slide: other offsets could cut the window into more slices than allowed.
    if (window.by != WindowAxis::kEvents && window.slide % 2 == 0 && Coin()) {
      window.offset = window.slide / 2;
    }
    if (window.by != WindowAxis::kEvents && Coin()) {
      window.where = Coin() ? "$topic != \"a: b\"" : "$partition > 5 && true";
    }
    window.removals = config.source.format.tombstone == TombstonePolicy::kRemove ||
                      std::visit([](const auto& m) { return m.operation.has_value(); },
                                 config.source.format.mapping);
    window.identity = Pick(EdgeIdentity::kPair, EdgeIdentity::kPairAndType);
    window.implementation = Pick(StoreKind::kMultiversioned, StoreKind::kRebuild);
    window.duplicates =
        Pick(DuplicatesPolicy::kKeep, DuplicatesPolicy::kDrop, DuplicatesPolicy::kWeigh);
    window.empty_windows = Pick(EmptyWindows::kOnce, EmptyWindows::kSkip);
    return window;
  }

  std::vector<VertexKey> Roots(const Config& config) {
    std::vector<VertexKey> roots;
    for (std::uint64_t i = 0; i < 1 + Number(3); ++i) {
      if (config.source.format.keys == KeyKind::kInteger) {
        roots.emplace_back(static_cast<std::int64_t>(random_() * 0x9e3779b97f4a7c15u));
      } else {
        roots.emplace_back(Text());
      }
    }
    return roots;
  }

  TraversalDirection Direction() {
    return Pick(TraversalDirection::kOut, TraversalDirection::kIn, TraversalDirection::kBoth);
  }

  PageRankParameters PageRank(const Config& config, double share) {
    PageRankParameters drawn{share, share * 1e-9, static_cast<int>(1 + Number(1000)), Coin(),
                             static_cast<int>(Number(1000))};
    if (drawn.warm_start) return drawn;  // only for ranks without a bias
    drawn.weighted = Coin();
    if (Coin()) drawn.sources = Roots(config);
    drawn.direction = Direction();
    return drawn;
  }

  PluginParameters Plugin(double share) {
    PluginParameters drawn;
    drawn.file = Coin() ? "./score.so" : "/usr/lib/sash/it's.so";
    drawn.isolate = Coin();
    if (Coin()) drawn.given.push_back({"share", share});
    if (Coin()) drawn.given.push_back({"whole", static_cast<std::int64_t>(Number(100)) - 50});
    if (Coin()) drawn.given.push_back({"is_on", Coin()});
    if (Coin()) drawn.given.push_back({"word", Coin() ? "true" : Coin() ? "12" : "a: b"});
    return drawn;
  }

  JobParameters Parameters(const Config& config) {
    const double share = static_cast<double>(Number(1000)) / 1001.0;
    const JobParameters drawn[] = {
        PageRank(config, share),
        HitsParameters{Pick(HitsRanking::kAuthorities, HitsRanking::kHubs), share * 1e-9,
                       static_cast<int>(1 + Number(1000)), Coin()},
        BfsParameters{Roots(config), Direction(), Coin(), Coin(), Coin(),
                      static_cast<int>(Number(1000))},
        ShapeParameters{},
        WccParameters{},
        SccParameters{},
        SsspParameters{Roots(config), Direction(), share * 1e3},
        TrianglesParameters{},
        LccParameters{},
        CdlpParameters{static_cast<int>(1 + Number(1000))},
        KcoreParameters{},
        DegreeParameters{Direction()},
        StrengthParameters{Pick(StrengthDirection::kOut, StrengthDirection::kIn,
                                StrengthDirection::kBoth, StrengthDirection::kNet)},
        FanoutParameters{Direction()},
        ReciprocityParameters{},
        NewEdgesParameters{},
        VanishedEdgesParameters{},
        CyclesParameters{static_cast<int>(2 + Number(9)), share * 1e3,
                         Coin() ? Roots(config) : std::vector<VertexKey>(),
                         false,  // it needs a window with `retain`: job_errors_test.cc
                         static_cast<int>(1 + Number(1000))},
        PathsParameters{Roots(config), Roots(config),
                        Pick(PathMeasure::kHops, PathMeasure::kWeight), Direction(),
                        static_cast<int>(1 + Number(100))},
        EdgeFeaturesParameters{static_cast<int>(2 + Number(9)), static_cast<int>(1 + Number(50)),
                               static_cast<int>(1 + Number(1000))},
        ExternalParameters{Pick(ExternalAnswers::kSets, ExternalAnswers::kRows)},
        Plugin(share)};
    static_assert(std::size(drawn) == std::variant_size_v<JobParameters>);
    return drawn[Number(std::size(drawn))];
  }

  JobSpec Job(const Config& config, std::uint64_t index) {
    JobSpec job;
    job.name = "j_" + std::to_string(index);
    job.window = config.windows[Number(config.windows.size())].name;
    job.parameters = Parameters(config);
    job.every = static_cast<std::uint32_t>(1 + Number(100));
    job.threads = static_cast<int>(Number(1025));
    if (WhyWithoutSnapshots(job, config.exports)) job.parameters = WccParameters();
    if (IsExternal(job.parameters) || Coin()) job.deadline = Time();
    job.overrun.queue = Number(5);
    if (HasScores(job.parameters) && Coin()) {
      job.baseline = BaselineSpec{.results = static_cast<std::uint32_t>(1 + Number(1000))};
      job.order = Pick(ListOrder::kScore, ListOrder::kSurprise);
    }
    job.top = 1 + Number(1'000'000);
    job.keep_results = 1000 + Number(99'000);
    if (HasVectors(job.parameters)) job.keep_vectors = Number(1001);
    return job;
  }

  std::vector<std::string> Jobs(const Config& config) {
    std::vector<std::string> jobs;
    for (const JobSpec& job : config.jobs) {
      if (Coin()) jobs.push_back(job.name);
    }
    return jobs;
  }

  SinkContent Content(const Config& config, VerticesWritten vertices,
                      const std::vector<std::string>& jobs) {
    const bool listed = std::ranges::all_of(config.jobs, [&](const JobSpec& job) {
      return HasDiffs(job.parameters) || std::ranges::find(jobs, job.name) == jobs.end();
    });
    const bool has_rows = std::ranges::all_of(config.jobs, [&](const JobSpec& job) {
      return HasRows(job.parameters) || std::ranges::find(jobs, job.name) == jobs.end();
    });
    if (has_rows && Coin()) return SinkContent::kRows;
    if (vertices == VerticesWritten::kAll || !listed) return SinkContent::kResults;
    return Pick(SinkContent::kResults, SinkContent::kDiffs);
  }

  SinkSpec Sink(const Config& config, std::uint64_t index) {
    if (Coin()) return TerminalSinkSpec{};
    if (Coin()) return KafkaSink(config, index);
    FileSinkSpec file{"out/" + std::to_string(index) + Text() + "x",
                      {},
                      Pick(VerticesWritten::kTop, VerticesWritten::kAll)};
    file.jobs = Jobs(config);
    file.content = Content(config, file.vertices, file.jobs);
    file.checksum = Coin();
    const bool can_be_csv =
        file.content == SinkContent::kRows && file.jobs.size() == 1 && !file.checksum;
    if (can_be_csv) file.format = Pick(RowFormat::kJson, RowFormat::kCsv);
    return file;
  }

  ExportSpec Export(const Config& config, std::uint64_t index) {
    ExportSpec frozen{.path = "export" + std::to_string(index) + "/" + Text() + "x",
                      .every = 1 + static_cast<std::uint32_t>(Number(1000)),
                      .keep = 1 + static_cast<std::uint32_t>(Number(1000)),
                      .limit_bytes = 65536 + Number(1 << 30),
                      .kind = Pick(ExportKind::kFrozen, ExportKind::kParquet)};
    for (std::size_t i = 0; i <= Number(config.windows.size()); ++i) {
      frozen.windows.push_back(config.windows[i].name);
    }
    if (frozen.kind == ExportKind::kFrozen) {
      frozen.leases = static_cast<std::uint32_t>(Number(10'001));
      frozen.lease_ttl = Time();
      frozen.lease_limit_bytes = 65536 + Number(1 << 30);
    }
    return frozen;
  }

  void Destination(const Config& config, const std::string& name, KafkaDestination& to) {
    to.brokers = Pick("b:1", "a:1,[::1]:65535");
    const auto* source = std::get_if<KafkaSpec>(&config.source.connector);
    if (source != nullptr && Coin()) to.brokers = source->brokers;
    to.topic = "results." + name;
    to.outbox = {"box/" + name + Text() + "x", (1 << 20) + Number(1 << 30)};
    if (Coin()) to.options = {{"debug", Text()}, {"client.id", ""}, {Text() + "!", Text()}};
  }

  KafkaSinkSpec KafkaSink(const Config& config, std::uint64_t index) {
    KafkaSinkSpec sink;
    Destination(config, std::to_string(index), sink);
    if (sink.brokers != "embedded" && Coin()) sink.transactional_id = sink.topic + Text();
    sink.vertices = Pick(VerticesWritten::kTop, VerticesWritten::kAll);
    sink.jobs = Jobs(config);
    sink.content = Content(config, sink.vertices, sink.jobs);
    return sink;
  }

  std::mt19937 random_;
};

TEST(PrintConfigTest, RandomConfigurationsParseBackToThemselves) {
  for (std::uint32_t seed = 0; seed < static_cast<unsigned>(testing::Rounds(1000)); ++seed) {
    const Config config = RandomConfig(seed).Make();
    const std::string printed = PrintConfig(config);
    const ParsedConfig parsed = Parsed(printed, "printed.yaml");
    ASSERT_TRUE(parsed.errors.empty()) << "seed " << seed << "\n" << AllErrors(parsed) << printed;
    ASSERT_TRUE(Same(parsed.config, config)) << "seed " << seed << "\n"
                                             << printed << "\n"
                                             << PrintConfig(parsed.config);
  }
}

TEST(PrintConfigTest, EveryShippedConfigurationParsesBackToItself) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(SASH_CONFIGS)) {
    if (entry.path().extension() != ".yaml") continue;
    ++files;
    const ParsedConfig parsed = LoadConfig(entry.path());
    ASSERT_TRUE(parsed.errors.empty()) << AllErrors(parsed);
    EXPECT_TRUE(Same(ParseGood(PrintConfig(parsed.config)), parsed.config)) << entry.path();
  }
  EXPECT_GT(files, 0);
}

TEST(PrintConfigTest, DifferentConfigurationsDiffer) {
  // Checks an assumption of the two tests above.
  const Config config = ParseGood(kGood);
  EXPECT_TRUE(Same(config, ParseGood(kGood)));
  EXPECT_FALSE(Same(config, ParseGood(Replaced(kGood, "1MiB", "2MiB"))));
  EXPECT_FALSE(Same(config, ParseGood(Replaced(kGood, "[x]", "[y]"))));
  EXPECT_FALSE(Same(config, ParseGood(Replaced(kGood, "start: committed", "start: latest"))));
}

TEST(PrintConfigTest, CyclesInTimeOrderAreReadAsTheyAreWritten) {
  const Config config = ParseGood(
      "source: {replay: {path: x}, format: {json: {source: /a, target: /b}}}\n"
      "windows: [{name: w, length: 10s, slide: 5s, retain: 5s}]\n"
      "jobs: [{name: j, window: w, kernel: cycles, parameters: {in_time_order: true}}]\n");
  EXPECT_TRUE(std::get<CyclesParameters>(config.jobs[0].parameters).in_time_order);
  EXPECT_TRUE(Same(ParseGood(PrintConfig(config)), config)) << PrintConfig(config);
}

}  // namespace
}  // namespace sash
