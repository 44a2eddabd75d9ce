#include "daemon/changes/refusals.h"

#include <fmt/format.h>

#include <string>

namespace sash {

HttpResponse RefuseKeys(const std::vector<ConfigError>& errors) {
  std::vector<KeyTrouble> keys;
  std::string message;
  for (const ConfigError& error : errors) {
    keys.push_back({error.key, error.message});
    message += fmt::format("{}{}: {}", message.empty() ? "" : "; ", error.key, error.message);
  }
  return Unprocessable(message, keys);
}

HttpResponse RefuseChange(const Error& error) {
  const bool conflicts = error.code == ErrorCode::kInvalidArgument;
  return conflicts ? Conflict(error.message) : Busy(error.message);
}

}  // namespace sash
