#include "daemon/config/error_list.h"

#include <fmt/format.h>

#include <algorithm>

namespace sash {

std::string ConfigError::ToString() const {
  if (key.empty()) return fmt::format("{}:{}: {}", file, line, message);
  return fmt::format("{}:{}: {}: {}", file, line, key, message);
}

void ErrorList::Add(int line, std::string key, std::string message) {
  errors_.push_back({file_, line, std::move(key), std::move(message)});
}

std::vector<ConfigError> ErrorList::TakeSorted(int last_line) {
  for (ConfigError& error : errors_) error.line = std::clamp(error.line, 1, last_line);
  std::ranges::stable_sort(errors_, {}, &ConfigError::line);
  return std::move(errors_);
}

std::string JoinKey(const std::string& path, std::string_view key) {
  return path.empty() ? std::string(key) : fmt::format("{}.{}", path, key);
}

std::string JoinIndex(const std::string& path, std::size_t index) {
  return fmt::format("{}[{}]", path, index);
}

}  // namespace sash
