#include "daemon/command_line.h"

#include <CLI/CLI.hpp>
#include <array>
#include <cstddef>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "daemon/application.h"
#include "daemon/check_config.h"
#include "daemon/config/json_schema.h"
#include "daemon/exit_code.h"
#include "daemon/verify_state.h"
#include "daemon/version.h"

namespace sash {
namespace {

struct Options {
  std::string config;
  std::string check;
  std::string print_config;
  std::string verify;
  bool print_schema = false;
  bool version = false;
};

constexpr const char* kUsage =
    "usage: sashd --config FILE | --check FILE | --print-config FILE | --print-schema | "
    "--verify DIR | --version | --help";

// The exit code: what nobody could read has not been said.
int Print(const std::string& text) {
  const bool written = std::fputs(text.c_str(), stdout) != EOF && std::fflush(stdout) == 0;
  if (written) return kExitOk;
  std::perror("sashd: standard output");
  return kExitFailure;
}

// Prints every error of `parsed`, one a line; true when there were none.
bool Accept(const ParsedConfig& parsed) {
  for (const ConfigError& error : parsed.errors) {
    std::fprintf(stderr, "%s\n", error.ToString().c_str());
  }
  return parsed.errors.empty();
}

int Misused(std::string_view what) {
  std::fprintf(stderr, "sashd: %s\n%s\n", std::string(what).c_str(), kUsage);
  return kExitUsage;
}

// An exit code when the command line says what to do wrongly, or asks for help.
std::optional<int> ParseOptions(int argc, char** argv, Options& options) {
  CLI::App app{
      "sashd keeps a sliding window over a stream of graph edges and runs graph jobs on every "
      "advance.\nExit codes: 0 ok, 1 run-time failure, 2 usage, 78 configuration."};
  app.name("sashd");
  app.allow_extras();  // refused below, by name, before anything else is
  const std::array commands = {
      app.add_option("--config", options.config, "run with this configuration"),
      app.add_option("--check", options.check,
                     "say everything that is wrong with this configuration, and exit"),
      app.add_option("--print-config", options.print_config,
                     "print this configuration with all defaults filled in, and exit"),
      app.add_option("--verify", options.verify,
                     "read every byte of the checkpoint in this folder (state.path), say what is "
                     "wrong where, and exit")};
  for (CLI::Option* command : commands) command->type_name("FILE");
  commands.back()->type_name("DIR");
  app.add_flag("--print-schema", options.print_schema,
               "print the JSON Schema of configurations, for editors, and exit");
  app.add_flag("--version", options.version, "print the version, and exit");
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
  for (const CLI::Option* command : commands) {
    if (command->count() == 0) continue;
    ++given;
    if (command->as<std::string>().empty()) {
      return Misused(command->get_name() + (command == commands.back()
                                                ? ": the name of the folder is empty"
                                                : ": the name of the file is empty"));
    }
  }
  if (given == 0) return Misused("nothing to do");
  if (given > 1) return Misused("only one thing can be done at a time");
  return std::nullopt;
}

}  // namespace

int RunCommandLine(int argc, char** argv) {
  Options options;
  if (const std::optional<int> code = ParseOptions(argc, argv, options)) return *code;
  if (options.version) return Print("sashd " + std::string(kVersion) + "\n");
  if (options.print_schema) return Print(PrintSchema());
  if (!options.verify.empty()) {
    const Verdict verdict = VerifyState(options.verify);
    std::fputs(verdict.faults.c_str(), stderr);
    const int printed = Print(verdict.summary);
    return verdict.code != kExitOk ? verdict.code : printed;
  }
  const std::string file = !options.config.empty()  ? options.config
                           : !options.check.empty() ? options.check
                                                    : options.print_config;
  ParsedConfig parsed = LoadAndCheckConfig(file);
  if (!Accept(parsed)) return kExitConfiguration;
  if (!options.check.empty()) return kExitOk;
  if (!options.print_config.empty()) return Print(PrintConfig(parsed.config));
  return Application(std::move(parsed.config), file).Run();
}

}  // namespace sash
