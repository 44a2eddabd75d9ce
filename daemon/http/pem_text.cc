#include "daemon/http/pem_text.h"

#include <fmt/format.h>

#include <cstddef>

#include "connectors/sinks/regular_file.h"

namespace sash {
namespace {

constexpr std::size_t kMostBytes = 1 << 20;

Error Unreadable(const std::string& path, const std::string& why) {
  return {ErrorCode::kInvalidArgument, fmt::format("`{}` cannot be read: {}", path, why)};
}

}  // namespace

Result<std::string> ReadPemFile(const std::string& path) {
  Result<std::string> text = ReadRegularFile(path, kMostBytes);
  if (!text) return Unreadable(path, text.error().message);
  return text;
}

}  // namespace sash
