#include "daemon/command_line.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>

#include "daemon/application.h"
#include "daemon/check_config.h"
#include "daemon/version.h"

namespace sash {
namespace {

struct Options {
  std::string config;
  std::string check;
  std::string print_config;
  bool version = false;
};

// Prints every error of `parsed`, one a line; true when there were none.
bool Accept(const ParsedConfig& parsed) {
  for (const ConfigError& error : parsed.errors) {
    std::fprintf(stderr, "%s\n", error.ToString().c_str());
  }
  return parsed.errors.empty();
}

// An exit code when the command line says what to do wrongly, or asks for help.
std::optional<int> ParseOptions(int argc, char** argv, Options& options) {
  CLI::App app{
      "sashd keeps a sliding window over a stream of graph edges and runs graph jobs on every "
      "advance.\nExit codes: 0 ok, 1 run-time failure, 2 usage, 78 configuration."};
  app.name("sashd");
  auto* commands = app.add_option_group("command");
  commands->add_option("--config", options.config, "run with this configuration")
      ->type_name("FILE");
  commands->add_option("--check", options.check, "say everything that is wrong with it, and exit")
      ->type_name("FILE");
  commands
      ->add_option("--print-config", options.print_config,
                   "print it with all defaults filled in, and exit")
      ->type_name("FILE");
  commands->add_flag("--version", options.version, "print the version, and exit");
  commands->require_option(1);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kExitOk : kExitUsage;
  }
  return std::nullopt;
}

}  // namespace

int RunCommandLine(int argc, char** argv) {
  Options options;
  if (const std::optional<int> code = ParseOptions(argc, argv, options)) return *code;
  if (options.version) {
    std::printf("sashd %s\n", std::string(kVersion).c_str());
    return kExitOk;
  }
  const std::string file = !options.config.empty()  ? options.config
                           : !options.check.empty() ? options.check
                                                    : options.print_config;
  ParsedConfig parsed = LoadAndCheckConfig(file);
  if (!Accept(parsed)) return kExitConfiguration;
  if (!options.check.empty()) return kExitOk;
  if (!options.print_config.empty()) {
    std::fputs(PrintConfig(parsed.config).c_str(), stdout);
    return kExitOk;
  }
  return Application(std::move(parsed.config)).Run();
}

}  // namespace sash
