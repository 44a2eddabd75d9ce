#include "daemon/control/invocation.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <list>
#include <utility>

#include "daemon/control/command_table.h"
#include "daemon/control/printable.h"
#include "windows/base/percent.h"

namespace sash {
namespace {

constexpr const char* kDescription =
    "sashctl shows and controls a running sashd.\n"
    "Exit codes: 0 ok, 1 the daemon refused, 2 usage, 3 not reachable.";

// Empty when it is a number. The daemon checks bounds.
std::string WhyNoNumber(const std::string& text) {
  const bool digits = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
  return digits ? "" : fmt::format("`{}` is not a number", Printable(text));
}

// The command-line parser built from the command table. Its callbacks write into `invocation`.
class Parser {
 public:
  explicit Parser(Invocation& invocation) : invocation_(invocation), app_(kDescription) {
    app_.name("sashctl");
    app_.require_subcommand(0, 1);
    app_.allow_extras();  // refused below, by name
    app_.fallthrough();   // global options may follow the command
    for (const OptionSpec& option : GlobalOptions()) {
      if (option.name != "--help") AddOption(app_, option);
    }
    for (const CommandSpec& command : Commands()) AddCommand(command);
  }

  std::variant<Invocation, HelpText, UsageError> Parse(int argc, const char* const* argv) {
    try {
      app_.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
      return HelpText{app_.help()};
    } catch (const CLI::ParseError& error) {
      return UsageError{Printable(error.what())};
    }
    if (invocation_.Has("--version")) return HelpText{fmt::format("sashctl {}\n", SASH_VERSION)};
    std::vector<std::string> extras = app_.remaining(true);
    std::erase(extras, "--");  // it only says that no options follow
    if (!extras.empty()) {
      const std::string first = Printable(extras.front());
      if (first.starts_with("-")) return UsageError{"unknown option: " + first};
      const bool nested = !app_.get_subcommands().empty();
      return UsageError{
          fmt::format("{}: {}", nested ? "unexpected argument" : "unknown command", first)};
    }
    const CLI::App* last = &app_;
    while (!last->get_subcommands().empty()) last = last->get_subcommands().front();
    if (last == &app_) return UsageError{"nothing to do"};
    invocation_.command = last->get_parent() == &app_
                              ? last->get_name()
                              : last->get_parent()->get_name() + " " + last->get_name();
    for (const CLI::Option* argument : last->get_options()) {
      const bool is_left_out = argument->count() == 0;
      if (!argument->get_positional() || is_left_out) continue;
      const std::string& value = argument->as<std::string>();
      if (value.empty()) return UsageError{argument->get_name() + " is empty"};
      invocation_.arguments.push_back(value);
    }
    return std::move(invocation_);
  }

 private:
  void AddOption(CLI::App& app, const OptionSpec& option) {
    const std::string name(option.name);
    CLI::Option* added = nullptr;
    if (option.value.empty()) {
      added = app.add_flag_callback(
          name, [this, name] { invocation_.options[name] = ""; }, std::string(option.help));
    } else {
      added = app.add_option_function<std::string>(
          name,
          [this, name](const std::string& value) {
            if (value.empty()) throw CLI::ValidationError(name, "is empty");
            invocation_.options[name] = value;
          },
          std::string(option.help));
      added->type_name(std::string(option.value));
      added->take_last();
      if (option.kind == ValueKind::kNumber) added->check(&WhyNoNumber);
    }
    if (!option.environment.empty()) added->envname(std::string(option.environment));
  }

  void AddCommand(const CommandSpec& command) {
    CLI::App* parent = &app_;
    std::string name(command.name);
    if (const std::size_t space = name.find(' '); space != std::string::npos) {
      parent = app_.get_subcommand(name.substr(0, space));
      parent->require_subcommand(0, 1);
      name.erase(0, space + 1);
    }
    CLI::App* const app = parent->add_subcommand(name, std::string(command.help));
    app->fallthrough();
    for (const ArgumentSpec& argument : command.arguments) {
      values_.emplace_back();
      CLI::Option* const added = app->add_option(std::string(argument.name), values_.back());
      added->required(!argument.optional)->type_name("");
      if (argument.kind == ValueKind::kShell) {
        added->check(CLI::IsMember(std::vector<std::string>(Shells().begin(), Shells().end())));
      }
    }
    for (const OptionSpec& option : command.options) AddOption(*app, option);
  }

  Invocation& invocation_;
  CLI::App app_;
  std::list<std::string> values_;  // of arguments; a list, for stable addresses
};

}  // namespace

std::string Invocation::Option(std::string_view option) const {
  const auto found = options.find(option);
  return found == options.end() ? "" : found->second;
}

std::string Invocation::QueryOf(std::initializer_list<std::string_view> names) const {
  std::string query;
  for (const std::string_view name : names) {
    const std::string option = "--" + std::string(name);
    if (!Has(option)) continue;
    std::string parameter(name);
    std::ranges::replace(parameter, '-', '_');
    query += fmt::format("{}{}={}", query.empty() ? "?" : "&", parameter,
                         PercentEncoded(Option(option)));
  }
  return query;
}

std::variant<Invocation, HelpText, UsageError> ParseInvocation(int argc, const char* const* argv) {
  Invocation invocation;
  return Parser(invocation).Parse(argc, argv);
}

}  // namespace sash
