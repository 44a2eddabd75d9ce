#include <fmt/format.h>

#include <string>
#include <string_view>

#include "daemon/control/command_table.h"
#include "daemon/control/completion_words.h"
#include "windows/base/shell_word.h"

namespace sash {
namespace {

constexpr std::string_view kFishScript =
    R"sh(# fish completion of sashctl: sashctl completion fish | source

# The words of the line that are not options; the connection options are kept separately.
function __sashctl_line
    set -l words (commandline -opc)
    set -l skip ''
    set -g __sashctl_connection
    for word in $words[2..-1]
        if test -n "$skip"
            if contains -- $skip --url --token-file --ca-file
                set -a __sashctl_connection $skip $word
            end
            set skip ''
        else if contains -- $word @valued@
            set skip $word
        else if string match -qr -- '^--(url|token-file|ca-file)=' $word
            set -a __sashctl_connection $word
        else if not string match -q -- '-*' $word
            echo $word
        end
    end
end

# Whether the line is at argument $argv[1], from 0, of the command in the other words.
function __sashctl_at
    set -l line (__sashctl_line)
    set -l command $argv[2..-1]
    test (count $line) -eq (math (count $command) + $argv[1]); or return 1
    test (count $command) -eq 0; and return 0
    test "$line[1..$(count $command)]" = "$command"
end

# Whether the line has that command, and not one that begins with it.
function __sashctl_in
    set -l line (__sashctl_line)
    test (count $line) -ge (count $argv); or return 1
    test "$line[1..$(count $argv)]" = "$argv"; or return 1
    test (count $argv) -gt 1; and return 0
    not contains -- "$line[1..2]" @nested@
end

function __sashctl_names
    __sashctl_line >/dev/null
    sashctl $argv[1] --names $__sashctl_connection 2>/dev/null
end

complete -c sashctl -f
)sh";

std::string OptionLine(const OptionSpec& option, std::string_view condition) {
  std::string line = "complete -c sashctl";
  if (!condition.empty()) line += fmt::format(" -n '{}'", condition);
  line += fmt::format(" -l {} -d {}", option.name.substr(2), ShellQuoted(option.help));
  if (!option.value.empty()) line += option.kind == ValueKind::kFile ? " -r -F" : " -x";
  return line + "\n";
}

std::string FishAction(std::string_view source) {
  if (source == "files") return "-F";
  if (source == "shells") return fmt::format("-a '{}'", ShellNames());
  return fmt::format("-a '(__sashctl_names {})'", source);
}

}  // namespace

std::string FishCompletion() {
  std::string nested;
  std::string lines;
  for (const OptionSpec& option : GlobalOptions()) lines += OptionLine(option, "");
  for (const CommandSpec& command : Commands()) {
    const std::string before(WordsBefore(command));
    if (!before.empty()) nested += (nested.empty() ? "" : " ") + ShellQuoted(command.name);
    lines += fmt::format("complete -c sashctl -n '__sashctl_at 0{}{}' -a {} -d {}\n",
                         before.empty() ? "" : " ", before, LastWordOf(command),
                         ShellQuoted(command.help));
    for (const OptionSpec& option : command.options) {
      lines += OptionLine(option, fmt::format("__sashctl_in {}", command.name));
    }
    for (std::size_t i = 0; i < command.arguments.size(); ++i) {
      const std::string_view source = SourceOf(command.arguments[i].kind);
      if (source.empty()) continue;
      lines += fmt::format("complete -c sashctl -n '__sashctl_at {} {}' {}\n", i, command.name,
                           FishAction(source));
    }
  }
  return Filled(kFishScript, {{"valued", ValuedOptions(" ")}, {"nested", nested}}) + lines;
}

}  // namespace sash
