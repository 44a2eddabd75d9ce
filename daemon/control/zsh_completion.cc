#include <fmt/format.h>

#include <span>
#include <string>
#include <string_view>

#include "daemon/control/command_table.h"
#include "daemon/control/completion_words.h"
#include "windows/base/shell_word.h"

namespace sash {
namespace {

constexpr std::string_view kZshScript = R"sh(#compdef sashctl
# zsh completion of sashctl: as _sashctl in a folder of $fpath, or eval "$(sashctl completion zsh)"

_sashctl_names() {
  local -a names connection
  local i
  for ((i = 2; i < CURRENT; i++)); do
    case $words[i] in
      --url | --token-file | --ca-file) connection+=("$words[i]" "${(Q)words[i + 1]}") ;;
      --url=* | --token-file=* | --ca-file=*) connection+=("${(Q)words[i]}") ;;
    esac
  done
  names=(${(f)"$(sashctl $1 --names $connection 2>/dev/null)"})
  compadd -a names
}

_sashctl() {
  local command='' word skip='' i
  integer arguments=0
  local -a options=(@global_options@) found=()
  for ((i = 2; i < CURRENT; i++)); do
    word=$words[i]
    if [[ -n $skip ]]; then
      skip=''
      continue
    fi
    case $word in
      @valued@) skip=$word ;;
      -*) ;;
      *)
        case $command:$word in
@commands@          *) arguments+=1 ;;
        esac
        ;;
    esac
  done
  case $skip in
    '') ;;
    @files@) _files; return ;;
    *) return 1 ;;
  esac
  case $command in
@options@  esac
  if [[ $PREFIX == -* ]]; then
    _describe -o option options
    return
  fi
  case $command:$arguments in
@arguments@    *) return 1 ;;
  esac
}

if [[ ${zsh_eval_context[-1]} == loadautofunc ]]; then
  _sashctl "$@"
else
  compdef _sashctl sashctl
fi
)sh";

// For _describe: a word and its meaning.
std::string Described(std::string_view word, std::string_view help) {
  std::string text(word);
  text += ':';
  for (const char c : help) text += c == ':' ? "\\:" : std::string(1, c);
  return ShellQuoted(text);
}

std::string DescribedOptions(std::span<const OptionSpec> options) {
  std::string text;
  for (const OptionSpec& option : options) {
    text += (text.empty() ? "" : " ") + Described(option.name, option.help);
  }
  return text;
}

std::string DescribedFollowers(std::string_view before) {
  std::string text;
  for (const CommandSpec* command : FollowersOf(before)) {
    text += (text.empty() ? "" : " ") + Described(LastWordOf(*command), command->help);
  }
  return text;
}

std::string ZshAction(std::string_view source) {
  if (source == "files") return "_files";
  if (source == "shells") return "compadd " + ShellNames();
  return fmt::format("_sashctl_names {}", source);
}

}  // namespace

std::string ZshCompletion() {
  std::string commands;
  std::string options;
  std::string arguments =
      fmt::format("    :0) found=({}); _describe command found ;;\n", DescribedFollowers(""));
  for (const CommandSpec& command : Commands()) {
    commands += fmt::format("          '{}:{}') command='{}' ;;\n", WordsBefore(command),
                            LastWordOf(command), command.name);
    if (!command.options.empty()) {
      options += fmt::format("    '{}') options+=({}) ;;\n", command.name,
                             DescribedOptions(command.options));
    }
    if (const std::string found = DescribedFollowers(command.name); !found.empty()) {
      arguments +=
          fmt::format("    '{}:0') found=({}); _describe command found ;;\n", command.name, found);
    }
    for (std::size_t i = 0; i < command.arguments.size(); ++i) {
      const std::string_view source = SourceOf(command.arguments[i].kind);
      if (source.empty()) continue;
      arguments += fmt::format("    '{}:{}') {} ;;\n", command.name, i, ZshAction(source));
    }
  }
  return Filled(kZshScript, {{"global_options", DescribedOptions(GlobalOptions())},
                             {"valued", ValuedOptions(" | ")},
                             {"commands", commands},
                             {"files", FileOptions(" | ")},
                             {"options", options},
                             {"arguments", arguments}});
}

}  // namespace sash
