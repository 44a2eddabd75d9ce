#include "daemon/command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstddef>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "connectors/sinks/kafka/producer_options.h"
#include "daemon/application.h"
#include "daemon/check/check_config.h"
#include "daemon/config/address_text.h"
#include "daemon/config/json_schema.h"
#include "daemon/config/scalar_text.h"
#include "daemon/forecast/tell_forecast.h"
#include "daemon/infer/infer_file.h"
#include "daemon/letters/letter_replay.h"
#include "daemon/log/exit_code.h"
#include "daemon/pipeline/bounded_replay.h"
#include "daemon/pipeline/dry_run.h"
#include "daemon/pipeline/shard_config.h"
#include "daemon/probe/record_trial.h"
#include "daemon/recovery/verify_state.h"
#include "daemon/version.h"

namespace sash {
namespace {

struct Options {
  std::string config;
  std::string check;
  std::string record;
  std::string infer;
  std::string topic;  // of --infer, or of the records of --record
  std::string brokers;
  std::string print_config;
  std::string verify;
  LetterReplayOptions letters;
  bool dry_run = false;
  bool probe = false;
  bool replay = false;
  std::string from;
  std::string to;
  std::string refuse_at_most = "50%";
  double refused_share = 0;  // the same, as a fraction of the records
  bool print_schema = false;
  bool version = false;
};

constexpr const char* kUsage =
    "usage: sashd --config FILE | --check FILE | --print-config FILE | --print-schema | "
    "--verify PATH | --version | --help\n"
    "       sashd --check FILE --record FILE|- [--topic NAME]\n"
    "       sashd --infer FILE|-\n"
    "       sashd --infer --topic NAME [--brokers HOST:PORT,...] [--config FILE]\n"
    "       sashd --probe --config FILE\n"
    "       sashd --replay-dead-letters FILE|topic --config FILE [--into TOPIC] [--dry-run]\n"
    "       sashd --replay --from TIME --to TIME --config FILE [--refuse-at-most PERCENT] "
    "[--dry-run]";

constexpr const char* kReplayLetters = "--replay-dead-letters";

// Returns the exit code: a failed write to standard output is a failure.
int Print(const std::string& text) {
  const bool written = std::fputs(text.c_str(), stdout) != EOF && std::fflush(stdout) == 0;
  if (written) return kExitOk;
  std::perror("sashd: standard output");
  return kExitFailure;
}

// Prints every error of `parsed`, one a line. True when there are none.
bool Accept(const ParsedConfig& parsed) {
  for (const ConfigError& error : parsed.errors) {
    std::fprintf(stderr, "%s\n", error.ToString().c_str());
  }
  return parsed.errors.empty();
}

// Prints every finding of `look`, one a line. Returns 1 when one of them is an error.
int Report(const Config& config, void (*look)(const Config&, Findings&)) {
  int printed = kExitOk;
  Findings findings([&](const Finding& finding) {
    if (printed == kExitOk) printed = Print(finding.ToString() + "\n");
  });
  look(config, findings);
  return findings.errors() > 0 ? kExitFailure : printed;
}

int Misused(std::string_view what) {
  std::fprintf(stderr, "sashd: %s\n%s\n", std::string(what).c_str(), kUsage);
  return kExitUsage;
}

// Checks which options may be combined and which need another. Returns what is wrong, if anything.
std::optional<std::string> FindWrongCompany(const CLI::App& app, const Options& options) {
  const auto given = [&](const char* name) { return app.count(name) > 0; };
  if (given("--into") && !given(kReplayLetters)) {
    return fmt::format("--into goes with {}", kReplayLetters);
  }
  if (options.dry_run && !options.replay && !given(kReplayLetters)) {
    return fmt::format("--dry-run goes with {} or --replay", kReplayLetters);
  }
  for (const char* name : {"--from", "--to"}) {
    if (given(name) != options.replay)
      return "--replay needs --from TIME and --to TIME, and both need --replay";
  }
  if (given("--record")) {
    if (!given("--check")) return "--record goes with --check";
    if (options.record.empty()) return "--record: the name of the file is empty";
  }
  const bool of_record = given("--topic") && given("--record") && !given("--brokers");
  if ((given("--topic") && !of_record) || given("--brokers")) {
    if (!given("--infer") || !given("--topic")) {
      return "--topic goes with --infer or --record, and --brokers with --infer --topic";
    }
    if (!options.infer.empty()) return "give --infer FILE, or --infer --topic NAME";
    if (given("--config") && options.config.empty())
      return "--config: the name of the file is empty";
    if (!given("--brokers") && !given("--config")) {
      return "--infer --topic needs --brokers HOST:PORT, or --config FILE with source.kafka";
    }
  }
  if (given("--topic") && options.topic.empty()) return "--topic: the name of the topic is empty";
  if (given("--refuse-at-most") && !options.replay) return "--refuse-at-most goes with --replay";
  if (options.replay && !given("--config")) return "--replay needs --config FILE";
  if (options.probe && !given("--config")) return "--probe needs --config FILE";
  if (options.probe + options.replay + given(kReplayLetters) > 1) return "give only one command";
  if (given(kReplayLetters) && (options.letters.from.empty() || !given("--config"))) {
    return fmt::format("{} needs FILE or topic, and --config FILE", kReplayLetters);
  }
  if (given("--into") && options.letters.into.empty())
    return "--into: the name of the topic is empty";
  return std::nullopt;
}

void AddOptions(CLI::App& app, Options& options) {
  app.add_option("--config", options.config, "run with this configuration")->type_name("FILE");
  app.add_option("--check", options.check,
                 "list all errors of this configuration; for a valid one, say when its "
                 "windows have results and how much memory they take; and exit")
      ->type_name("FILE");
  app.add_option("--record", options.record,
                 "with --check: instead, print for each record of this file (-: standard input) "
                 "the edge or the dead letter that it becomes, as a line of JSON")
      ->type_name("FILE|-");
  app.add_option("--infer", options.infer,
                 "print a configuration for this file of records (-: standard input), or for the "
                 "newest records of --topic, with its reasons, and exit")
      ->type_name("FILE|-")
      ->expected(0, 1);
  app.add_option("--topic", options.topic,
                 "with --infer: this topic, read without a group and without commits; with "
                 "--record: the topic whose records they are (default: the first one of "
                 "source.kafka.topics), which decides which of source.mappings take them")
      ->type_name("NAME");
  app.add_option("--brokers", options.brokers,
                 "its brokers; with --config the options of source.kafka apply, and its brokers "
                 "are the default")
      ->type_name("HOST:PORT,...");
  app.add_option("--print-config", options.print_config,
                 "print this configuration with all defaults filled in, and exit")
      ->type_name("FILE");
  app.add_option(
         "--verify", options.verify,
         "read every byte of the checkpoint in this folder (state.path), or of this file of "
         "results, list what is damaged, and exit")
      ->type_name("PATH");
  app.add_flag("--probe", options.probe,
               "with --config: check it, and try what it names: brokers, topics, certificates, "
               "files, a sample; change nothing, and exit");
  app.add_option(kReplayLetters, options.letters.from,
                 "with --config: send again the records of this dead-letter file (topic: of "
                 "source.dead_letters.topic) that can be decoded now, and exit")
      ->type_name("FILE|topic");
  app.add_option("--into", options.letters.into,
                 "to this topic, instead of each record to its own topic and partition")
      ->type_name("TOPIC");
  app.add_flag("--dry-run", options.dry_run,
               "send nothing: with --replay-dead-letters, say how many would be sent, and why the "
               "others would not be; with --replay, print the alerts that would be sent");
  app.add_flag(
      "--replay", options.replay,
      "with --config: run the history of its topics between --from and --to at full speed, "
      "and exit");
  app.add_option("--from", options.from,
                 "where a replay begins: RFC 3339, or milliseconds since 1970")
      ->type_name("TIME");
  app.add_option("--to", options.to, "where it ends; windows that lie wholly between are emitted")
      ->type_name("TIME");
  app.add_option("--refuse-at-most", options.refuse_at_most,
                 "when more of the records of a replay are refused, it ends with code 1 (50%)")
      ->type_name("PERCENT");
  app.add_flag("--print-schema", options.print_schema,
               "print the JSON Schema of configurations, for editors, and exit");
  app.add_flag("--version", options.version, "print the version, and exit");
}

// Returns an exit code when the command line is wrong or asks for help.
std::optional<int> ParseOptions(int argc, char** argv, Options& options) {
  CLI::App app{
      "sashd keeps a sliding window over a stream of graph edges and runs graph jobs on every "
      "advance.\nExit codes: 0 ok, 1 run-time failure, 2 usage, 78 configuration."};
  app.name("sashd");
  app.allow_extras();  // refused below, by name, before any other error
  AddOptions(app, options);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    return Print(app.help());
  } catch (const CLI::ParseError& error) {
    return Misused(error.what());
  }
  if (const std::vector<std::string> extras = app.remaining(); !extras.empty()) {
    const std::string& first = extras.front();
    return Misused((first.starts_with("-") ? "unknown option: " : "unexpected argument: ") + first);
  }
  std::size_t given = (options.version ? 1U : 0U) + (options.print_schema ? 1U : 0U);
  for (const auto& [command, file] : {std::pair("--config", &options.config),
                                      {"--check", &options.check},
                                      {"--infer", &options.infer},
                                      {"--print-config", &options.print_config},
                                      {"--verify", &options.verify}}) {
    if (app.count(command) == 0) continue;
    const bool has_topic = app.count("--infer") > 0 && app.count("--topic") > 0;
    if (has_topic && file == &options.config) continue;  // the connection of --infer --topic
    ++given;
    if (has_topic && file == &options.infer) continue;
    if (file->empty()) {
      return Misused(fmt::format("{}: the name of the {} is empty", command,
                                 file == &options.verify ? "folder" : "file"));
    }
  }
  if (const auto wrong = FindWrongCompany(app, options)) return Misused(*wrong);
  if (given == 0) return Misused("nothing to do");
  if (given > 1) return Misused("give only one command");
  return std::nullopt;
}

int FailInfer(int code, const std::string& what) {
  std::fprintf(stderr, "sashd: --infer: %s\n", what.c_str());
  return code;
}

int InferFromTopic(const Options& options) {
  const Result<std::string> topic = ParseTopic(options.topic);
  if (!topic) return Misused("--topic: " + topic.error().message);
  KafkaSpec kafka;
  if (!options.config.empty()) {
    const ParsedConfig parsed = LoadAndCheckConfig(options.config);
    if (!Accept(parsed)) return kExitConfiguration;
    const auto* source = std::get_if<KafkaSpec>(&parsed.config.source.connector);
    if (source == nullptr) {
      return FailInfer(kExitConfiguration, options.config + " has no source.kafka");
    }
    kafka.brokers = source->brokers;
    kafka.options = ConnectionOptions(source->options);
  }
  if (!options.brokers.empty()) {
    const Result<std::string> brokers = ParseBrokers(options.brokers);
    if (!brokers) return Misused("--brokers: " + brokers.error().message);
    kafka.brokers = brokers.value();
  }
  if (kafka.brokers == "embedded") {
    return FailInfer(kExitConfiguration,
                     "the embedded broker lives in another process; give its address with "
                     "--brokers (it is in that process's log)");
  }
  return InferTopic(kafka, topic.value(), kafka.options.empty() ? "" : options.config);
}

int Refuse(const std::string& file, const std::string& why, int exit_code) {
  std::fprintf(stderr, "sashd: %s: %s\n", file.c_str(), why.c_str());
  return exit_code;
}

int RunReplay(const ReplaySpan& span, const Options& options, Config config) {
  std::unique_ptr<DryRun> dry_run;
  if (options.dry_run) {
    auto prepared = DryRun::Prepare(config);
    if (!prepared) {
      const bool is_wrong = prepared.error().code == ErrorCode::kInvalidArgument;
      return Refuse(options.config, prepared.error().message,
                    is_wrong ? kExitConfiguration : kExitFailure);
    }
    dry_run = std::move(prepared).value();
  }
  config.source.refuse_at_most = options.refused_share;
  if (const auto refusal = MakeBoundedReplay(span, config)) {
    return Refuse(options.config, refusal->why, refusal->exit_code);
  }
  ReduceToShard(config);
  const int ended = Application(std::move(config), options.config, dry_run.get()).Run();
  if (dry_run == nullptr) return ended;
  const std::string failure = dry_run->Failure();
  std::fprintf(stderr, "sashd: %s\n", (failure.empty() ? dry_run->Summary() : failure).c_str());
  return ended == kExitOk && !failure.empty() ? kExitFailure : ended;
}

}  // namespace

int RunCommandLine(int argc, char** argv) {
  Options options;
  if (const std::optional<int> code = ParseOptions(argc, argv, options)) return *code;
  if (options.version) return Print("sashd " + std::string(kVersion) + "\n");
  if (options.print_schema) return Print(PrintSchema());
  if (!options.topic.empty() && options.record.empty()) return InferFromTopic(options);
  if (!options.infer.empty()) return InferFile(options.infer);
  if (!options.verify.empty()) {
    const Verdict verdict = VerifyState(options.verify);
    std::fputs(verdict.faults.c_str(), stderr);
    const int printed = Print(verdict.summary);
    return verdict.code != kExitOk ? verdict.code : printed;
  }
  std::optional<ReplaySpan> span;
  if (options.replay) {
    const Result<ReplaySpan> parsed = ParseSpan(options.from, options.to);
    if (!parsed) return Misused(parsed.error().message);
    span = parsed.value();
    const Result<double> percent = ParsePercentage(options.refuse_at_most);
    if (!percent) return Misused("--refuse-at-most: " + percent.error().message);
    options.refused_share = percent.value();
  }
  const std::string file = !options.config.empty()  ? options.config
                           : !options.check.empty() ? options.check
                                                    : options.print_config;
  ParsedConfig parsed = LoadAndCheckConfig(file);
  if (!Accept(parsed)) return kExitConfiguration;
  if (!options.record.empty()) return PrintTrial(parsed.config, options.record, options.topic);
  if (!options.check.empty()) return Report(parsed.config, TellForecast);
  if (options.probe) return Report(parsed.config, ProbeAndForecast);
  if (!options.print_config.empty()) return Print(PrintConfig(parsed.config));
  options.letters.dry_run = options.dry_run;
  if (!options.letters.from.empty()) return ReplayDeadLetters(parsed.config, options.letters);
  if (span) return RunReplay(*span, options, std::move(parsed.config));
  ReduceToShard(parsed.config);
  return Application(std::move(parsed.config), file).Run();
}

}  // namespace sash
