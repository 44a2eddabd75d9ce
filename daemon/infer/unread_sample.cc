#include "daemon/infer/unread_sample.h"

#include <fmt/format.h>

#include <algorithm>

#include "windows/base/shell_word.h"
#include "windows/base/utf8.h"

namespace sash {
namespace {

std::string FileWord(const SampleOrigin& origin) {
  return origin.name == "-" ? std::string("FILE") : ShellWord(origin.name);
}

// Whether the first two lines are arrays of their own. Arrays of objects are not meant: a table
// has no column for an object.
bool AreArrayLines(std::string_view text) {
  for (int i = 0; i < 2; ++i) {
    const std::string_view line = text.substr(0, text.find('\n'));
    const std::size_t end = line.find_last_not_of(" \t\r");
    const bool is_array =
        line.starts_with('[') && end != std::string_view::npos && line[end] == ']';
    if (!is_array || line.find('{') != std::string_view::npos) return false;
    text.remove_prefix(std::min(text.size(), line.size() + 1));
  }
  return true;
}

}  // namespace

std::optional<std::string> WhyNotLines(std::string_view text, const SampleOrigin& origin) {
  const auto otherwise = [&origin](std::string_view what, std::string_view command) {
    if (origin.is_topic()) return fmt::format("{}; is it the right topic?", what);
    return fmt::format("{}: run `{} {} > records.txt`, and infer that file", what, command,
                       FileWord(origin));
  };
  if (text.starts_with('\x1E')) {
    return otherwise("it is a JSON text sequence, whose records begin with a separator",
                     "tr -d '\\036' <");
  }
  const bool has_returns = text.find('\r') != std::string_view::npos;
  if (has_returns && text.find('\n') == std::string_view::npos && !origin.is_topic()) {
    return otherwise("its lines end in CR alone, and must end in LF or CRLF", "tr '\\r' '\\n' <");
  }
  constexpr std::size_t kMostLines = 1000;
  std::size_t lines = 0;
  std::size_t broken = 0;
  while (!text.empty() && lines < kMostLines) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (!IsUtf8(text.substr(0, end))) ++broken;
    ++lines;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  if (broken * 10 <= lines) return std::nullopt;  // a few broken records are refused, and counted
  return otherwise(fmt::format("{} of its first {} lines are not UTF-8", broken, lines),
                   "iconv -f WINDOWS-1252 -t UTF-8");
}

std::string WhyArray(std::string_view text, const SampleOrigin& origin) {
  if (AreArrayLines(text) && !origin.is_topic()) {
    return fmt::format(
        "its lines are JSON arrays; a record must be an object: run `jq -r @csv {} > "
        "records.csv`, and infer that file",
        FileWord(origin));
  }
  if (origin.is_topic()) {
    return "its first record begins with [, like a JSON array, from which fields cannot be "
           "told; write the mapping by hand: with source.format.json.each: \"\" each element of "
           "the array is an edge";
  }
  return fmt::format(
      "it begins with [, like a JSON array; here a record must be an object on a line of its own: "
      "run `jq -c '.[]' {0} > records.jsonl`, and infer that file",
      FileWord(origin));
}

std::string WhyNotObjects(const SampleOrigin& origin, std::size_t broken, std::size_t lines) {
  if (origin.is_topic()) {
    return fmt::format(
        "its first record begins with {{, but {} of {} records are not JSON objects; is it the "
        "right topic?",
        broken, lines);
  }
  return fmt::format(
      "it begins with {{, but {} of {} lines are not JSON objects; a record must be an object on "
      "a line of its own: run `jq -c . {} > records.jsonl`, and infer that file",
      broken, lines, FileWord(origin));
}

}  // namespace sash
