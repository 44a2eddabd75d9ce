// Invocation: a parsed command line of sashctl.
//
// Thread safety: values.
#pragma once

#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace sash {

// The exit codes of sashctl.
enum ControlExit : int {
  kControlOk = 0,
  kControlRefused = 1,  // by the daemon; or its response could not be written
  kControlUsage = 2,    // the command line, or a file that it names, is wrong
  kControlUnreachable = 3,
};

struct Invocation {
  std::string command;  // from the command table
  std::vector<std::string> arguments;
  std::map<std::string, std::string, std::less<>> options;  // with their dashes; flags as ""

  bool Has(std::string_view option) const { return options.contains(option); }
  // Empty when it was not given.
  std::string Option(std::string_view option) const;
  // Those of the named options that are given, as the query of a path: "?snapshot=3".
  std::string QueryOf(std::initializer_list<std::string_view> names) const;
};

struct HelpText {
  std::string text;
};
struct UsageError {
  std::string message;
};

// The options' environment variables count like the options.
std::variant<Invocation, HelpText, UsageError> ParseInvocation(int argc, const char* const* argv);

}  // namespace sash
