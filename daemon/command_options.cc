#include "daemon/command_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstddef>
#include <cstdio>
#include <utility>
#include <vector>

#include "daemon/log/exit_code.h"

namespace sash {
namespace {

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

// Checks which options may be combined and which need another. Returns what is wrong, if anything.
std::optional<std::string> FindWrongCompany(const CLI::App& app, const CommandOptions& options) {
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

void AddOptions(CLI::App& app, CommandOptions& options) {
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

}  // namespace

int Print(const std::string& text) {
  const bool written = std::fputs(text.c_str(), stdout) != EOF && std::fflush(stdout) == 0;
  if (written) return kExitOk;
  std::perror("sashd: standard output");
  return kExitFailure;
}

int Misused(std::string_view what) {
  std::fprintf(stderr, "sashd: %s\n%s\n", std::string(what).c_str(), kUsage);
  return kExitUsage;
}

std::optional<int> ParseOptions(int argc, char** argv, CommandOptions& options) {
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

}  // namespace sash
