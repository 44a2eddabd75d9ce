#include <fmt/format.h>

#include <span>
#include <string>
#include <string_view>

#include "daemon/control/command_table.h"
#include "daemon/control/completion_words.h"

namespace sash {
namespace {

// Walks over the line to find the current command and argument position.
constexpr std::string_view kBashScript =
    R"sh(# bash completion of sashctl: eval "$(sashctl completion bash)"

_sashctl() {
  local typed=${COMP_LINE:0:COMP_POINT} current='' word command='' arguments=0 skip=''
  local -a line=() connection=()
  local IFS=$' \t\n'
  COMPREPLY=()
  # Not COMP_WORDS, where the colons of an address are words.
  read -ra line <<<"$typed"
  if [[ $typed != *[[:space:]] ]]; then
    current=${line[-1]}
    unset 'line[-1]'
  fi
  for word in "${line[@]:1}"; do
    if [[ -n $skip ]]; then
      case $skip in
        --url | --token-file | --ca-file) connection+=("$skip" "$word") ;;
      esac
      skip=''
      continue
    fi
    case $word in
      @valued@) skip=$word ;;
      --url=* | --token-file=* | --ca-file=*) connection+=("$word") ;;
      -*) ;;
      *)
        case $command:$word in
@commands@          *) arguments=$((arguments + 1)) ;;
        esac
        ;;
    esac
  done
  local options='' words='' source=''
  case $command in
@options@  esac
  if [[ -n $skip ]]; then
    case $skip in
      @files@) source='files' ;;
    esac
  elif [[ $current == -* ]]; then
    words=$options
  else
    case $command:$arguments in
@arguments@    esac
  fi
  case $source in
    jobs | windows | alerts) words=$(sashctl "$source" --names "${connection[@]}" 2>/dev/null) ;;
    shells) words='@shells@' ;;
    files)
      mapfile -t COMPREPLY < <(compgen -f -- "$current")
      compopt -o filenames 2>/dev/null
      return
      ;;
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}

complete -F _sashctl sashctl
)sh";

std::string Words(std::string_view before) {
  std::string words;
  for (const CommandSpec* command : FollowersOf(before)) {
    words += (words.empty() ? "" : " ") + std::string(LastWordOf(*command));
  }
  return words;
}

std::string Names(std::span<const OptionSpec> own) {
  std::string names;
  for (const std::span<const OptionSpec> options : {own, GlobalOptions()}) {
    for (const OptionSpec& option : options) {
      names += (names.empty() ? "" : " ") + std::string(option.name);
    }
  }
  return names;
}

}  // namespace

std::string BashCompletion() {
  std::string commands;
  std::string options = fmt::format("    '') options='{}' ;;\n", Names({}));
  std::string arguments = fmt::format("      :0) words='{}' ;;\n", Words(""));
  for (const CommandSpec& command : Commands()) {
    commands += fmt::format("          {}:{}) command='{}' ;;\n", WordsBefore(command),
                            LastWordOf(command), command.name);
    options += fmt::format("    '{}') options='{}' ;;\n", command.name, Names(command.options));
    if (const std::string words = Words(command.name); !words.empty()) {
      arguments += fmt::format("      '{}:0') words='{}' ;;\n", command.name, words);
    }
    for (std::size_t i = 0; i < command.arguments.size(); ++i) {
      const std::string_view source = SourceOf(command.arguments[i].kind);
      if (source.empty()) continue;
      arguments += fmt::format("      '{}:{}') source='{}' ;;\n", command.name, i, source);
    }
  }
  return Filled(kBashScript, {{"valued", ValuedOptions(" | ")},
                              {"commands", commands},
                              {"options", options},
                              {"files", FileOptions(" | ")},
                              {"arguments", arguments},
                              {"shells", ShellNames()}});
}

}  // namespace sash
