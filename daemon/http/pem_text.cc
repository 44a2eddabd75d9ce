#include "daemon/http/pem_text.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace sash {
namespace {

constexpr std::size_t kMostBytes = 1 << 20;

Error Unreadable(const std::string& path, const std::string& why) {
  return {ErrorCode::kInvalidArgument, fmt::format("`{}` cannot be read: {}", path, why)};
}

}  // namespace

Result<std::string> ReadPemFile(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) return Unreadable(path, "it is a folder");
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) return Unreadable(path, std::system_category().message(errno));
  std::string text(kMostBytes + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (file.bad()) return Unreadable(path, "reading failed");
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (text.size() > kMostBytes) return Unreadable(path, "it is larger than 1 MiB");
  return text;
}

}  // namespace sash
