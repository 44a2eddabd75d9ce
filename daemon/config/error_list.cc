#include "daemon/config/error_list.h"

#include <fmt/format.h>

#include <algorithm>

#include "windows/base/check.h"
#include "windows/base/utf8.h"

namespace sash {
namespace {

constexpr std::size_t kMostRead = 50;     // errors shown at once
constexpr std::size_t kMostNamed = 20;    // names in one message
constexpr std::size_t kLongestKey = 200;  // bytes

// Beginning and end of a text that is longer than `most`.
std::string Shortened(std::string text, std::size_t most) {
  if (text.size() <= most) return text;
  const std::size_t head = Beginning(text, most * 2 / 3).size();
  std::size_t tail = text.size() - most / 4;
  while (tail < text.size() && ContinuesCharacter(text[tail])) ++tail;
  return fmt::format("{} ... ({} bytes left out) ... {}", text.substr(0, head), tail - head,
                     text.substr(tail));
}

}  // namespace

std::string ConfigError::ToString() const {
  if (key.empty()) return fmt::format("{}:{}: {}", file, line, message);
  return fmt::format("{}:{}: {}: {}", file, line, key, message);
}

int ErrorList::AddFile(std::string file, int lines) {
  const int before = lines_;
  files_.push_back({std::move(file), before});
  lines_ += std::max(lines, 1);
  return before;
}

void ErrorList::Add(int line, std::string key, std::string message) {
  if (errors_.size() == kMostKept) {
    ++left_out_;
    return;
  }
  errors_.push_back({line, Shortened(std::move(key), kLongestKey),
                     Shortened(std::move(message), kLongestMessage)});
}

const ErrorList::File& ErrorList::FileOf(int line) const {
  SASH_CHECK(!files_.empty() && line >= 1);
  const auto after = std::ranges::upper_bound(files_, line - 1, {}, &File::before);
  return *(after - 1);
}

ConfigPlace ErrorList::Locate(int line) const {
  const File& file = FileOf(line);
  return {file.name, line - file.before};
}

std::string ErrorList::Where(int line, int from) const {
  const ConfigPlace place = Locate(line);
  if (&FileOf(line) == &FileOf(from)) return fmt::format("line {}", place.line);
  return fmt::format("{}:{}", place.file, place.line);
}

std::vector<std::string> ErrorList::FileNames() const {
  std::vector<std::string> names;
  for (const File& file : files_) names.push_back(file.name);
  return names;
}

std::vector<ConfigError> ErrorList::TakeSorted() {
  std::ranges::stable_sort(errors_, {}, &Found::line);
  std::vector<ConfigError> sorted;
  for (Found& error : errors_) {
    ConfigPlace place = Locate(error.line);
    sorted.push_back(
        {std::move(place.file), place.line, std::move(error.key), std::move(error.message)});
  }
  errors_.clear();
  return sorted;
}

void KeepReadable(std::vector<ConfigError>& errors, std::size_t left_out) {
  if (errors.size() > kMostRead) {
    left_out += errors.size() - kMostRead;
    errors.resize(kMostRead);
  }
  if (left_out == 0) return;
  const ConfigError last = errors.empty() ? ConfigError() : errors.back();
  errors.push_back(
      {last.file, last.line, "",
       fmt::format("there are {} more errors, which are not shown; fix these first", left_out)});
}

std::string SomeOf(const std::vector<std::string>& names) {
  if (names.size() <= kMostNamed) return WithCommas(names);
  return fmt::format(
      "{} and {} more",
      WithCommas(std::vector<std::string>(names.begin(), names.begin() + kMostNamed)),
      names.size() - kMostNamed);
}

std::string JoinKey(const std::string& path, std::string_view key) {
  return path.empty() ? std::string(key) : fmt::format("{}.{}", path, key);
}

std::string JoinIndex(const std::string& path, std::size_t index) {
  return fmt::format("{}[{}]", path, index);
}

}  // namespace sash
