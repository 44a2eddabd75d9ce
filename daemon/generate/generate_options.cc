#include "daemon/generate/generate_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <utility>
#include <vector>

#include "daemon/config/scalar_text.h"
#include "daemon/generate/option_text.h"

namespace sash {
namespace {

using std::chrono::milliseconds;

constexpr int kUsage = 2;

// The command line as text, before the parts that CLI11 cannot check are read.
class CommandLine {
 public:
  CommandLine() {
    app_.get_formatter()->column_width(38);
    AddPace();
    AddGraph();
    AddEpisodes();
    AddRecords();
    AddOutput();
  }

  ParsedCommandLine Parse(int argc, const char* const* argv) {
    try {
      app_.parse(argc, argv);
      Read();
    } catch (const CLI::ParseError& error) {
      return app_.exit(error) == 0 ? 0 : kUsage;
    }
    return std::move(options_);
  }

 private:
  void AddPace();
  void AddGraph();
  void AddEpisodes();
  void AddRecords();
  void AddOutput();

  void Read();
  void ReadPace();
  void ReadEpisodes();
  void ReadOutput();
  void Require(const std::vector<const char*>& names, bool met, const char* condition) const;

  bool Given(const char* name) const { return app_.count(name) > 0; }

  template <typename Enum>
  CLI::Option* AddChoice(const char* name, Enum& choice,
                         const std::vector<std::pair<std::string, Enum>>& words,
                         const char* description);

  // CLI11's own conversion reads "-1" as the greatest unsigned number.
  template <typename Integer>
  CLI::Option* AddCount(const char* name, Integer& number, const char* description) {
    const auto read = [name, &number](const std::string& text) {
      const std::uint64_t count = Take(name, ParseCount(text));
      if (!std::in_range<Integer>(count)) {
        throw CLI::ValidationError(name, fmt::format("{} is too great", text));
      }
      number = static_cast<Integer>(count);
    };
    return app_.add_option_function<std::string>(name, read, description)->type_name("N");
  }
  CLI::Option* AddReal(const char* name, double& number, const char* description) {
    const auto read = [name, &number](const std::string& text) {
      number = Take(name, ReadReal(text));
    };
    return app_.add_option_function<std::string>(name, read, description)->type_name("X");
  }

  // A duration option keeps its text until it is read, so that an error names the option.
  void AddDuration(const char* name, std::string& text, const char* description) {
    app_.add_option(name, text, description)->type_name("DURATION");
  }

  template <typename T>
  static T Take(const char* name, Result<T> result) {
    if (!result) throw CLI::ValidationError(name, result.error().message);
    return std::move(result).value();
  }
  static void Check(const Status& status) {
    if (!status) throw CLI::ValidationError(status.error().message);
  }

  CLI::App app_{
      "Generates a stream of timestamped graph edges. The same options and seed give the same "
      "bytes on every machine.",
      "sash-generate"};
  GenerateOptions options_;
  KafkaOutputOptions kafka_;
  std::string to_ = "-";
  std::string start_ = "2026-01-01T00:00:00Z";
  std::string disorder_ = "0s";
  std::string every_;
  std::string connect_timeout_ = "30s";
  std::vector<std::string> hubs_;
  std::vector<std::string> bursts_;
  std::vector<std::string> kafka_options_;
  bool no_header_ = false;
};

template <typename Enum>
CLI::Option* CommandLine::AddChoice(const char* name, Enum& choice,
                                    const std::vector<std::pair<std::string, Enum>>& words,
                                    const char* description) {
  std::string known;
  for (const auto& [word, value] : words) known += (known.empty() ? "" : "|") + word;
  const auto choose = [name, &choice, words, known](const std::string& given) {
    for (const auto& [word, value] : words) {
      if (word != given) continue;
      choice = value;
      return;
    }
    throw CLI::ValidationError(name, fmt::format("'{}' is not one of {}", given, known));
  };
  return app_.add_option_function<std::string>(name, choose, description)->type_name(known);
}

void CommandLine::AddPace() {
  const char* group = "How many, how fast, when";
  app_.set_version_flag("--version", "sash-generate " SASH_VERSION);
  AddCount("--seed", options_.stream.seed, "The seed of all random choices")
      ->default_str(fmt::to_string(options_.stream.seed))
      ->group(group);
  AddCount("--edges", options_.edges,
           "How many edges; 0 is endless [100000, or 0 for --to kafka with a --rate]")
      ->group(group);
  AddReal("--rate", options_.rate, "Edges a second of real time; 0 is as fast as possible [0]")
      ->group(group);
  AddReal("--event-rate", options_.stream.event_rate,
          "Edges a second of event time [--rate, or 1000]")
      ->group(group);
  app_.add_option("--start", start_,
                  "Event time of the first edge: now, RFC 3339, or milliseconds since 1970")
      ->capture_default_str()
      ->type_name("TIME")
      ->group(group);
  AddDuration("--disorder", disorder_,
              "Event times are moved back by up to this much, at random [0s]");
  app_.get_option("--disorder")->group(group);
  app_.add_flag("--progress", options_.progress, "One line a second on standard error")
      ->group(group);
}

void CommandLine::AddGraph() {
  const char* group = "Graph";
  AddChoice<GraphShape>("--graph", options_.stream.graph,
                        {{"rmat", GraphShape::kRmat}, {"uniform", GraphShape::kUniform}},
                        "Which graph [rmat]")
      ->group(group);
  AddCount("--scale", options_.stream.scale, "2^SCALE vertices, 1 to 32")
      ->default_str(fmt::to_string(options_.stream.scale))
      ->group(group);
  AddReal("--skew", options_.stream.skew,
          "R-MAT's a, 0.25 to 1; b, c and d share the rest as 19:19:5")
      ->default_str(fmt::to_string(options_.stream.skew))
      ->group(group);
  AddReal("--duplicates", options_.stream.duplicates, "Share of edges that repeat a recent one [0]")
      ->group(group);
  AddReal("--removals", options_.stream.removals, "Share of edges that remove a recent one [0]")
      ->group(group);
  AddCount("--recent", options_.stream.recent, "How many edges back 'recent' reaches")
      ->default_str(fmt::to_string(options_.stream.recent))
      ->group(group);
  AddChoice<WeightKind>(
      "--weights", options_.stream.weights,
      {{"none", WeightKind::kNone}, {"integer", WeightKind::kInteger}, {"real", WeightKind::kReal}},
      "Weights: none, 1 to 1000, or 0.01 to 1000.00 [none]")
      ->group(group);
}

void CommandLine::AddEpisodes() {
  const char* group = "Planted episodes (times are event times from the start)";
  app_.add_option("--hub", hubs_,
                  "A vertex hub-1, hub-2, ... that becomes the target of up to that share of all "
                  "edges, rising and fading; repeatable: at=30s,for=60s,share=0.2")
      ->expected(1)
      ->take_all()
      ->type_name("EPISODE")
      ->group(group);
  app_.add_option("--burst", bursts_,
                  "Edges inside a group ring-1-1, ring-1-2, ...; repeatable: "
                  "at=90s,for=20s,share=0.3,size=12")
      ->expected(1)
      ->take_all()
      ->type_name("EPISODE")
      ->group(group);
  AddDuration("--episodes-every", every_,
              "A new hub and a new burst in every such period, for ever");
  app_.get_option("--episodes-every")->group(group);
}

void CommandLine::AddRecords() {
  const char* group = "Records";
  AddChoice<RecordFormat>(
      "--format", options_.records.format,
      {{"json", RecordFormat::kJson}, {"csv", RecordFormat::kCsv}},
      "JSON with from, to, ts (ms) [, amount] [, op], or CSV with source, target, "
      "time (ms) [, weight] [, operation] [json]")
      ->group(group);
  AddChoice<KeyKind>("--keys", options_.records.keys,
                     {{"string", KeyKind::kString}, {"integer", KeyKind::kInteger}},
                     "Vertex keys: v17, or 17 [string]")
      ->group(group);
  app_.add_option("--key-prefix", options_.records.key_prefix, "The beginning of string keys")
      ->capture_default_str()
      ->group(group);
  app_.add_flag("--no-header", no_header_, "CSV without its header row")->group(group);
}

void CommandLine::AddOutput() {
  const char* group = "Output";
  app_.add_option("--to", to_, "- (standard output), a file, which is overwritten, or kafka")
      ->capture_default_str()
      ->type_name("-|FILE|kafka")
      ->group(group);
  const char* kafka = "Output to Kafka (record timestamp = event time)";
  app_.add_option("--brokers", kafka_.brokers, "Bootstrap brokers, host:port,...")
      ->capture_default_str()
      ->group(kafka);
  app_.add_option("--topic", kafka_.topic, "Topic")->capture_default_str()->group(kafka);
  AddCount("--partitions-count", kafka_.partitions,
           "How many partitions to write to [all of the topic]")
      ->group(kafka);
  AddChoice<PartitionBy>(
      "--partition-by", kafka_.partition_by,
      {{"number", PartitionBy::kNumber}, {"key", PartitionBy::kKey}},
      "Record i to partition i mod count, or by a hash of the source key [number]")
      ->group(kafka);
  app_.add_flag("--create-topic", kafka_.create_topic,
                "Create the topic with --partitions-count partitions unless it is there")
      ->group(kafka);
  AddDuration("--connect-timeout", connect_timeout_,
              "How long to wait for a broker and for the topic [30s]");
  app_.get_option("--connect-timeout")->group(kafka);
  app_.add_option("--kafka-option", kafka_options_,
                  "An option of librdkafka, verbatim; repeatable: compression.codec=lz4")
      ->expected(1)
      ->take_all()
      ->type_name("KEY=VALUE")
      ->group(kafka);
}

void CommandLine::Require(const std::vector<const char*>& names, bool met,
                          const char* condition) const {
  for (const char* name : names) {
    if (Given(name) && !met) throw CLI::ValidationError(name, fmt::format("needs {}", condition));
  }
}

void CommandLine::ReadPace() {
  if (!Given("--event-rate") && options_.rate > 0) options_.stream.event_rate = options_.rate;
  if (!Given("--edges") && to_ == "kafka" && options_.rate > 0) options_.edges = 0;
  if (options_.rate != 0 && (options_.rate < 0.001 || options_.rate > 1e9)) {
    throw CLI::ValidationError("--rate", "must be 0, or 0.001 to 1e9 edges a second");
  }
  options_.start_now = start_ == "now";
  if (!options_.start_now) options_.stream.start = Take("--start", ParseMoment(start_));
  options_.stream.disorder = Take("--disorder", ParseMilliseconds(disorder_));
}

void CommandLine::ReadEpisodes() {
  EpisodeOptions& episodes = options_.stream.episodes;
  for (const std::string& text : hubs_) episodes.hubs.push_back(Take("--hub", ParseHub(text)));
  for (const std::string& text : bursts_) {
    episodes.bursts.push_back(Take("--burst", ParseBurst(text)));
  }
  if (!every_.empty()) episodes.every = Take("--episodes-every", ParseMilliseconds(every_));
}

void CommandLine::ReadOutput() {
  const bool to_kafka = to_ == "kafka";
  Require({"--brokers", "--topic", "--partitions-count", "--partition-by", "--create-topic",
           "--connect-timeout", "--kafka-option"},
          to_kafka, "--to kafka");
  if (Given("--partitions-count") && kafka_.partitions == 0) {
    throw CLI::ValidationError("--partitions-count", "must be at least 1");
  }
  Require({"--create-topic"}, Given("--partitions-count"), "--partitions-count");
  options_.header = !no_header_;
  options_.path = to_;
  if (to_.empty()) throw CLI::ValidationError("--to", "must be -, a file or kafka");
  if (!to_kafka) return;
  if (kafka_.topic.empty()) throw CLI::ValidationError("--topic", "must not be empty");
  if (kafka_.brokers.empty()) throw CLI::ValidationError("--brokers", "must not be empty");
  kafka_.connect_timeout = Take("--connect-timeout", ParseMilliseconds(connect_timeout_));
  if (kafka_.connect_timeout > std::chrono::hours(24)) {
    throw CLI::ValidationError("--connect-timeout", "must be at most 24h");
  }
  for (const std::string& text : kafka_options_) {
    kafka_.options.insert_or_assign(Take("--kafka-option", ParsePair(text)).first,
                                    Take("--kafka-option", ParsePair(text)).second);
  }
  // A record timestamp of 0 would be taken for "now".
  if (options_.stream.start < milliseconds(1) && !options_.start_now) {
    throw CLI::ValidationError("--start", "must be after 1970 with --to kafka");
  }
  options_.kafka = std::move(kafka_);
}

void CommandLine::Read() {
  ReadPace();
  ReadEpisodes();
  ReadOutput();
  Require({"--skew"}, options_.stream.graph == GraphShape::kRmat, "--graph rmat");
  Require({"--key-prefix"}, options_.records.keys == KeyKind::kString, "--keys string");
  Require({"--no-header"}, options_.records.format == RecordFormat::kCsv, "--format csv");
  Require({"--recent"}, Given("--duplicates") || Given("--removals"), "--duplicates or --removals");
  Check(Validate(options_.stream));
  Check(Validate(options_.records));
}

}  // namespace

ParsedCommandLine ParseCommandLine(int argc, const char* const* argv) {
  return CommandLine().Parse(argc, argv);
}

}  // namespace sash
