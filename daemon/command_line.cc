#include "daemon/command_line.h"

#include <fmt/format.h>

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
#include "daemon/command_options.h"
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

int FailInfer(int code, const std::string& what) {
  std::fprintf(stderr, "sashd: --infer: %s\n", what.c_str());
  return code;
}

int InferFromTopic(const CommandOptions& options) {
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

int RunReplay(const ReplaySpan& span, const CommandOptions& options, Config config) {
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
  CommandOptions options;
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
