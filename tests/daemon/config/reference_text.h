// configs/reference.yaml for the tests: the live configuration, its #| alternatives applied one at
// a time, and the content of the brackets above keys.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/seed_range.h"

namespace sash {

using Lines = std::vector<std::string>;

inline Lines SplitLines(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

inline std::string JoinLines(const Lines& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

inline std::size_t Indent(std::string_view line) {
  return std::min(line.find_first_not_of(' '), line.size());
}
inline bool IsLive(std::string_view line) {
  const std::string_view rest = line.substr(Indent(line));
  return !rest.empty() && rest.front() != '#';
}
inline bool IsAlternative(std::string_view line) {
  return line.substr(Indent(line)).starts_with("#|");
}

// The end of the value that starts at `begin`: the next live line with an indentation of at most
// `indent`, or the end of the file.
inline std::size_t EndOfValue(const Lines& lines, std::size_t begin, std::size_t indent) {
  for (std::size_t i = begin + 1; i < lines.size(); ++i) {
    if (IsLive(lines[i]) && Indent(lines[i]) <= indent) return i;
  }
  return lines.size();
}

inline constexpr std::string_view kErased = "# erased";

inline void EraseLive(Lines& lines, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end; ++i) {
    if (IsLive(lines[i])) lines[i] = kErased;
  }
}

// All configurations in the reference: the live one, then one for each alternative.
inline std::vector<Lines> Configurations(const Lines& reference) {
  std::vector<Lines> configurations = {reference};
  for (std::size_t i = 0; i < reference.size(); ++i) {
    if (!IsAlternative(reference[i])) continue;
    const std::size_t indent = Indent(reference[i]);
    const auto content = [&](std::size_t line) { return reference[line].substr(indent + 3); };
    if (Indent(content(i)) > 0) continue;  // continues the entry
    Lines lines = reference;
    std::size_t above = i;
    while (above > 0 && !(IsLive(lines[above]) && Indent(lines[above]) <= indent)) --above;
    EraseLive(lines, above, EndOfValue(reference, above, indent));
    std::size_t end = i;
    do {
      lines[end] = std::string(indent, ' ') + content(end);
      ++end;
    } while (end < reference.size() && IsAlternative(reference[end]) && Indent(content(end)) > 0);
    configurations.push_back(lines);
  }
  return configurations;
}

// Those of the configurations that tests of all of them try: under a sanitizer a seventh, because
// each takes a quarter of a second there. config.reference tries all, with optimisation.
inline std::vector<Lines> TriedConfigurations(const Lines& reference) {
  const std::vector<Lines> all = Configurations(reference);
  std::vector<Lines> tried;
  for (std::size_t i = 0; i < all.size(); i += testing::Stride()) tried.push_back(all[i]);
  return tried;
}

// A key with the brackets above it.
struct DocumentedKey {
  std::size_t line = 0;
  std::string key;
  std::string documented;  // the text from "default: " to the ';'; empty: no brackets
  bool leaf = false;       // its value is on its own line
};

inline std::vector<DocumentedKey> DocumentedKeys(const Lines& lines) {
  std::vector<DocumentedKey> keys;
  std::string bracket;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!IsLive(lines[i])) {
      if (IsAlternative(lines[i])) continue;
      const std::size_t at = lines[i].find("# [default: ");
      if (at != std::string::npos) {
        bracket = lines[i].substr(at + 12);
      } else if (!bracket.empty() && !bracket.ends_with("]") && lines[i] != kErased) {
        bracket += lines[i].substr(Indent(lines[i]) + 1);  // continues the bracket
      }
      if (lines[i] == kErased) bracket.clear();
      continue;
    }
    std::string_view rest = std::string_view(lines[i]).substr(Indent(lines[i]));
    if (rest.starts_with("- ")) rest.remove_prefix(2);
    const std::size_t colon = rest.find(':');
    keys.push_back({i, std::string(rest.substr(0, colon)), bracket, colon + 1 < rest.size()});
    bracket.clear();
  }
  return keys;
}

// `lines` with the key set to `value`, or without the key if `value` is empty.
inline Lines WithKey(Lines lines, const DocumentedKey& key, const std::string& value) {
  std::string& line = lines[key.line];
  const bool item = line.substr(Indent(line)).starts_with("- ");
  const std::string start = std::string(Indent(line), ' ') + (item ? "-" : "");
  line = value.empty() ? start : start + (item ? " " : "") + key.key + ": " + value;
  return lines;
}

}  // namespace sash
