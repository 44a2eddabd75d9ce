#include "daemon/control/completion_words.h"

#include <set>

#include "windows/base/check.h"

namespace sash {
namespace {

template <typename Wanted>
std::string OptionNames(std::string_view between, const Wanted& wanted) {
  std::string names;
  std::set<std::string_view> met;
  const auto add = [&](const OptionSpec& option) {
    if (option.value.empty() || !wanted(option) || !met.insert(option.name).second) return;
    if (!names.empty()) names += between;
    names += option.name;
  };
  for (const OptionSpec& option : GlobalOptions()) add(option);
  for (const CommandSpec& command : Commands()) {
    for (const OptionSpec& option : command.options) add(option);
  }
  return names;
}

}  // namespace

std::string Filled(std::string_view script,
                   const std::vector<std::pair<std::string_view, std::string>>& parts) {
  std::string text(script);
  for (const auto& [name, part] : parts) {
    const std::string mark = "@" + std::string(name) + "@";
    std::size_t at = text.find(mark);
    SASH_CHECK(at != std::string::npos);
    for (; at != std::string::npos; at = text.find(mark, at + part.size())) {
      text.replace(at, mark.size(), part);
    }
  }
  return text;
}

std::string_view LastWordOf(const CommandSpec& command) {
  return command.name.substr(command.name.rfind(' ') + 1);
}

std::string_view WordsBefore(const CommandSpec& command) {
  const std::size_t space = command.name.rfind(' ');
  return space == std::string_view::npos ? "" : command.name.substr(0, space);
}

std::vector<const CommandSpec*> FollowersOf(std::string_view before) {
  std::vector<const CommandSpec*> followers;
  for (const CommandSpec& command : Commands()) {
    if (WordsBefore(command) == before) followers.push_back(&command);
  }
  return followers;
}

std::string_view SourceOf(ValueKind kind) {
  switch (kind) {
    case ValueKind::kJob:
      return "jobs";
    case ValueKind::kWindow:
      return "windows";
    case ValueKind::kAlert:
      return "alerts";
    case ValueKind::kFile:
      return "files";
    case ValueKind::kShell:
      return "shells";
    case ValueKind::kText:
    case ValueKind::kNumber:
    case ValueKind::kUrl:
      break;
  }
  return "";
}

std::string ValuedOptions(std::string_view between) {
  return OptionNames(between, [](const OptionSpec&) { return true; });
}

std::string FileOptions(std::string_view between) {
  return OptionNames(between, [](const OptionSpec& each) { return each.kind == ValueKind::kFile; });
}

std::string ShellNames() {
  std::string names;
  for (const std::string_view shell : Shells()) {
    names += (names.empty() ? "" : " ") + std::string(shell);
  }
  return names;
}

}  // namespace sash
