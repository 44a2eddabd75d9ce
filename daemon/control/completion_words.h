// The common parts of the scripts of completion.h: words of the command table, and templates.
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

// `script` with each @name@ replaced. An unknown name is a programming error.
std::string Filled(std::string_view script,
                   const std::vector<std::pair<std::string_view, std::string>>& parts);

// The last word of a command, and the words before it: "jobs pause" is pause after jobs.
std::string_view LastWordOf(const CommandSpec& command);
std::string_view WordsBefore(const CommandSpec& command);

// The commands whose last word may follow `before`; empty: at the start.
std::vector<const CommandSpec*> FollowersOf(std::string_view before);

// The scripts' name for the candidates of an argument: jobs, windows, files, shells. Empty: a shell
// cannot know any.
std::string_view SourceOf(ValueKind kind);

// The names of all options that take a value, of this kind or of any, joined with `between`.
std::string ValuedOptions(std::string_view between);
std::string FileOptions(std::string_view between);

// "bash zsh fish".
std::string ShellNames();

}  // namespace sash
