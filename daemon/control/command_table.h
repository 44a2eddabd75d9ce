// What sashctl can be told: the one table that the parser, the shells' completion and the help are
// made of, and that the manual page is tested against.
//
// Thread safety: immutable.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace sash {

// What a value is, so that a shell can offer some.
enum class ValueKind : std::uint8_t { kText, kNumber, kFile, kUrl, kJob, kWindow, kShell };

struct OptionSpec {
  std::string_view name;
  std::string_view value;  // what it is called; empty: a flag
  ValueKind kind = ValueKind::kText;
  std::string_view environment;  // the variable that says the same; empty: none
  std::string_view help;
};

struct ArgumentSpec {
  std::string_view name;
  ValueKind kind = ValueKind::kText;
};

struct CommandSpec {
  std::string_view name;  // "jobs", "jobs pause"
  std::vector<ArgumentSpec> arguments;
  std::string_view help;
  std::vector<OptionSpec> options;
};

// In the order of the help; a command of one word before those that begin with it.
std::span<const CommandSpec> Commands();

// Those that every command knows.
std::span<const OptionSpec> GlobalOptions();

// The shells that have a completion.
std::span<const std::string_view> Shells();

}  // namespace sash
