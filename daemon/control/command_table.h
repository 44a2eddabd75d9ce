// The commands of sashctl: the single table behind the parser, the shell completions and the help.
// Tests compare the manual page with it.
//
// Thread safety: immutable.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace sash {

// The kind of a value, so that a shell can offer candidates.
enum class ValueKind : std::uint8_t { kText, kNumber, kFile, kUrl, kJob, kWindow, kAlert, kShell };

struct OptionSpec {
  std::string_view name;
  std::string_view value;  // the name of its value; empty: a flag
  ValueKind kind = ValueKind::kText;
  std::string_view environment;  // the variable with the same meaning; empty: none
  std::string_view help;
};

struct ArgumentSpec {
  std::string_view name;
  ValueKind kind = ValueKind::kText;
  bool optional = false;  // only the last one
};

struct CommandSpec {
  std::string_view name;  // "jobs", "jobs pause"
  std::vector<ArgumentSpec> arguments;
  std::string_view help;
  std::vector<OptionSpec> options;
};

// In the order of the help; a one-word command precedes the commands that begin with it.
std::span<const CommandSpec> Commands();

// The options of every command.
std::span<const OptionSpec> GlobalOptions();

// The shells that have completion.
std::span<const std::string_view> Shells();

}  // namespace sash
