#include "daemon/control/control_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <ios>
#include <string>
#include <utility>

#include "daemon/control/printable.h"

namespace sash {
namespace {

constexpr const char* kDefaultUrl = "http://127.0.0.1:9640";

// The first line of the file, or the environment variable.
Result<std::string> ReadToken(const std::string& path) {
  if (path.empty()) {
    const char* const token = std::getenv("SASHCTL_TOKEN");
    return std::string(token == nullptr ? "" : token);
  }
  errno = 0;
  std::ifstream file(path);
  constexpr std::size_t kMostBytes = 4096;  // a device may have no end
  std::string token(kMostBytes, '\0');
  file.read(token.data(), static_cast<std::streamsize>(token.size()));
  token.resize(static_cast<std::size_t>(file.gcount()));
  token.resize(std::min(token.find('\n'), token.size()));
  const std::size_t end = token.find_last_not_of(" \t\r");
  token.erase(end == std::string::npos ? 0 : end + 1);
  if (!token.empty()) return token;
  return Error{ErrorCode::kInvalidArgument,
               fmt::format("--token-file: `{}` {}", Printable(path),
                           errno != 0 ? fmt::format("cannot be read: {}", std::strerror(errno))
                                      : std::string("holds no token in its first line"))};
}

}  // namespace

Result<ApiSettings> SettingsOf(const Invocation& invocation) {
  const std::string url = invocation.Option("--url");
  Result<std::string> checked = CheckedUrl(url.empty() ? kDefaultUrl : url);
  if (!checked) return std::move(checked).error();
  Result<std::string> token = ReadToken(invocation.Option("--token-file"));
  if (!token) return std::move(token).error();
  ApiSettings settings{std::move(checked).value(), std::move(token).value(),
                       invocation.Option("--ca-file")};
  if (Status status = Check(settings); !status) return std::move(status).error();
  return settings;
}

}  // namespace sash
