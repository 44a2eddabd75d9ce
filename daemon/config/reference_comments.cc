#include "daemon/config/reference_comments.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "daemon/config/error_list.h"
#include "daemon/config/key_defaults.h"
#include "daemon/config/key_table.h"

namespace sash {
namespace {

constexpr std::size_t kColumns = 100;
constexpr std::string_view kParameters = "jobs[].parameters";

// A line of the reference. An alternative ("  #|   path: x") is read like a key of the file.
struct Line {
  explicit Line(std::string_view line) : text(line) {
    std::size_t begin = std::min(text.find_first_not_of(' '), text.size());
    level = begin;
    above = begin;
    if (text.substr(begin).starts_with("#|")) {
      const std::size_t mark = begin + 3;
      begin = std::min(text.find_first_not_of(' ', std::min(mark, text.size())), text.size());
      level += begin - std::min(mark, begin);
      if (level > above) above = begin;  // a comment within the alternative
    }
    std::string_view rest = text.substr(begin);
    is_comment = rest.starts_with('#');
    is_item = rest.starts_with("- ");
    if (is_item) rest.remove_prefix(2);
    const std::size_t colon = rest.find(':');
    if (is_comment || colon == std::string_view::npos) return;
    key = rest.substr(0, colon);
    value = rest.substr(std::min(colon + 2, rest.size()));
  }

  std::string_view text;
  std::size_t level = 0;  // its indentation, as if the alternative were in use
  std::size_t above = 0;  // so many characters of the line also begin a comment above it
  bool is_comment = false;
  bool is_item = false;
  std::string_view key;  // none: ""
  std::string_view value;
};

// The patterns of the keys around a line ("jobs[].parameters<bfs>").
class Surroundings {
 public:
  // Takes the next line with a key. Returns the key's pattern.
  std::string Enter(const Line& line) {
    while (!open_.empty() && open_.back().level >= line.level) open_.pop_back();
    std::size_t level = line.level;
    if (line.is_item) {
      open_.push_back({level, Around() + "[]"});
      level += 2;
    }
    std::string pattern = JoinKey(Around(), line.key);
    if (pattern == "jobs[].kernel") kernel_ = line.value;
    const std::string inside =
        pattern == kParameters ? fmt::format("{}<{}>", pattern, kernel_) : pattern;
    open_.push_back({level, inside});
    return pattern;
  }

 private:
  struct Open {
    std::size_t level;
    std::string pattern;
  };

  std::string Around() const { return open_.empty() ? "" : open_.back().pattern; }

  std::vector<Open> open_;
  std::string kernel_;
};

// Words that stay on one line: `a b` and {a: b} are not broken.
std::vector<std::string_view> Unbroken(std::string_view text) {
  std::vector<std::string_view> words;
  std::size_t begin = 0;
  bool quoted = false;
  int braces = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : ' ';
    if (c == '`') quoted = !quoted;
    if (c == '{') ++braces;
    if (c == '}') --braces;
    if (c != ' ' || (i < text.size() && (quoted || braces > 0))) continue;
    if (i > begin) words.push_back(text.substr(begin, i - begin));
    begin = i + 1;
  }
  return words;
}

// Adds `text` as comment lines that begin with `start`.
void AddComment(std::string_view start, std::string_view text, std::string& out) {
  std::string line;
  for (const std::string_view word : Unbroken(text)) {
    if (!line.empty() && line.size() + 1 + word.size() > kColumns) {
      out += line + "\n";
      line.clear();
    }
    if (line.empty()) line = fmt::format("{}#", start);
    line += fmt::format(" {}", word);
  }
  if (!line.empty()) out += line + "\n";
}

bool IsSection(const KeySpec& key) {
  const Shape& first = key.shapes.front();
  const auto* items = std::get_if<Items>(&first);
  return std::holds_alternative<SectionShape>(first) ||
         std::holds_alternative<KernelParameters>(first) ||
         (items != nullptr && std::holds_alternative<SectionShape>(items->item));
}

class Comments {
 public:
  Comments() {
    for (const SectionSpec& section : KeyTable()) {
      for (const KeySpec& key : section.keys) {
        keys_.emplace(JoinKey(std::string(section.section), key.name), &key);
      }
    }
  }

  // The comment of a key that was not asked for before; none: "".
  std::string Take(const std::string& pattern, std::string_view start) {
    const auto found = keys_.find(pattern);
    if (found == keys_.end() || !taken_.insert(pattern).second) return {};
    const KeySpec& key = *found->second;
    std::string comment;
    AddComment(start, Words(pattern, key.about), comment);
    if (!IsSection(key)) AddComment(start, Bracket(pattern, key), comment);
    return comment;
  }

 private:
  std::string Words(const std::string& pattern, std::string_view about) {
    constexpr std::size_t kLong = 40;
    if (about.size() < kLong) return std::string(about);
    const auto [said, fresh] = said_.emplace(about, pattern);
    return fresh ? std::string(about) : fmt::format("As for {}.", said->second);
  }

  std::string Bracket(const std::string& pattern, const KeySpec& key) const {
    const std::string range =
        key.range_text.empty() ? RangeText(key.shapes) : std::string(key.range_text);
    return fmt::format("[default: {}; range: {}; change: {}]", DefaultText(pattern, key), range,
                       key.change == Change::kLive ? "live" : "restart");
  }

  std::string DefaultText(const std::string& pattern, const KeySpec& key) const {
    if (!key.default_text.empty()) return std::string(key.default_text);
    if (key.presence != Presence::kOptional) return "required";
    const auto found = defaults_.find(pattern);
    if (found != defaults_.end()) return found->second;
    if (std::holds_alternative<FreeMapping>(key.shapes.front())) return "{}";
    if (std::holds_alternative<Items>(key.shapes.front())) return "[]";
    return "none";
  }

  const KeyDefaults defaults_ = FindDefaults();
  std::map<std::string, const KeySpec*> keys_;    // by pattern
  std::map<std::string_view, std::string> said_;  // words, and the key that has them
  std::set<std::string> taken_;
};

}  // namespace

std::string WithCommentsOfRows(std::string_view reference) {
  std::string out;
  std::string above;  // comments whose key has not come yet
  Surroundings surroundings;
  Comments comments;
  while (!reference.empty()) {
    const std::size_t end = std::min(reference.find('\n'), reference.size());
    const Line line(reference.substr(0, end));
    reference.remove_prefix(std::min(end + 1, reference.size()));
    if (line.is_comment) {
      above += fmt::format("{}\n", line.text);
      continue;
    }
    if (!line.key.empty()) {
      std::string comment =
          comments.Take(surroundings.Enter(line), line.text.substr(0, line.above));
      if (!comment.empty()) above = std::move(comment);
    }
    out += above + fmt::format("{}\n", line.text);
    above.clear();
  }
  return out + above;
}

}  // namespace sash
