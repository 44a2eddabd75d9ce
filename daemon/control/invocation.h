// Invocation: what a command line of sashctl asks for.
//
// Thread safety: values.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace sash {

// What sashctl ends with.
enum ControlExit : int {
  kControlOk = 0,
  kControlRefused = 1,  // by the daemon; or what it said could not be written
  kControlUsage = 2,    // the command line, or a file that it names, is wrong
  kControlUnreachable = 3,
};

struct Invocation {
  std::string command;  // of the command table
  std::vector<std::string> arguments;
  std::map<std::string, std::string, std::less<>> options;  // with their dashes; flags as ""

  bool Has(std::string_view option) const { return options.contains(option); }
  // Empty when it is not there.
  std::string Option(std::string_view option) const;
};

struct HelpText {
  std::string text;
};
struct UsageError {
  std::string message;
};

// Environment variables of the options count as if they were given.
std::variant<Invocation, HelpText, UsageError> ParseInvocation(int argc, const char* const* argv);

}  // namespace sash
