// What the scripts of completion.h have in common: words of the command table, and filling in.
//
// Thread safety: free functions.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "daemon/control/command_table.h"

namespace sash {

std::string BashCompletion();
std::string ZshCompletion();
std::string FishCompletion();

// `script` with each @name@ replaced. A name that is not there is a programmer's error.
std::string Filled(std::string_view script,
                   const std::vector<std::pair<std::string_view, std::string>>& parts);

// The word that a command ends in, and those before it: "jobs pause" is pause after jobs.
std::string_view LastWordOf(const CommandSpec& command);
std::string_view WordsBefore(const CommandSpec& command);

// The commands whose last word may stand after `before`; nothing: at the start.
std::vector<const CommandSpec*> FollowersOf(std::string_view before);

// How the scripts call what can stand for an argument: jobs, windows, files, shells. Empty:
// nothing that a shell could know.
std::string_view SourceOf(ValueKind kind);

// The names of all options that take a value, of this kind or of any, with `between` between them.
std::string ValuedOptions(std::string_view between);
std::string FileOptions(std::string_view between);

// "bash zsh fish".
std::string ShellNames();

// In single quotes, for any of the shells.
std::string Quoted(std::string_view text);

}  // namespace sash
