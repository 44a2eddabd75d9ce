#include "daemon/config/error_list.h"

#include <fmt/format.h>

#include <algorithm>

#include "windows/base/check.h"

namespace sash {

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
  errors_.push_back({line, std::move(key), std::move(message)});
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

std::string JoinKey(const std::string& path, std::string_view key) {
  return path.empty() ? std::string(key) : fmt::format("{}.{}", path, key);
}

std::string JoinIndex(const std::string& path, std::size_t index) {
  return fmt::format("{}[{}]", path, index);
}

}  // namespace sash
