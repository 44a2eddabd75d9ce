#include "daemon/config/secret_reference.h"

#include <fmt/format.h>

#include <array>
#include <cstdlib>

#include "connectors/sinks/regular_file.h"

namespace sash {
namespace {

constexpr std::string_view kFromEnvironment = "${env:";
constexpr std::string_view kFromFile = "${file:";
constexpr std::size_t kLargestFile = 64 << 10;

Error Unresolved(std::string message) { return {ErrorCode::kInvalidArgument, std::move(message)}; }

Result<std::string> ReadVariable(const std::string& name) {
  const char* const value = std::getenv(name.c_str());
  if (value == nullptr) {
    return Unresolved(
        fmt::format("environment variable `{}` is not set; set it before the start", name));
  }
  return std::string(value);
}

Result<std::string> ReadSecretFile(const std::string& path) {
  Result<std::string> value = ReadRegularFile(path, kLargestFile);
  if (!value) {
    const Error& error = value.error();
    std::string why = fmt::format("cannot be read: {}; it must exist and be readable at the start",
                                  error.message);
    if (error.code == ErrorCode::kInvalidArgument) {
      why = fmt::format("cannot be read: {}; give a file that holds the value", error.message);
    } else if (error.code == ErrorCode::kOverloaded) {
      why = "is larger than 64KiB; it should hold one value";
    }
    return Unresolved(fmt::format("file `{}` {}", path, why));
  }
  std::string& text = value.value();
  if (text.ends_with('\n')) text.pop_back();
  if (text.ends_with('\r')) text.pop_back();
  return value;
}

}  // namespace

Result<ResolvedText> ResolveReferences(std::string_view written) {
  ResolvedText resolved;
  while (!written.empty()) {
    const bool escaped =
        written.starts_with('$') && (written.substr(1).starts_with(kFromEnvironment) ||
                                     written.substr(1).starts_with(kFromFile));
    const bool variable = written.starts_with(kFromEnvironment);
    if (escaped) {
      resolved.text += written.substr(1, kFromEnvironment.size() - 1);
      written.remove_prefix(kFromEnvironment.size());
      continue;
    }
    if (!variable && !written.starts_with(kFromFile)) {
      resolved.text += written.front();
      written.remove_prefix(1);
      continue;
    }
    const std::size_t end = written.find('}');
    const std::string_view prefix = variable ? kFromEnvironment : kFromFile;
    if (end == std::string_view::npos || end == prefix.size()) {
      return Unresolved(fmt::format(
          "`{}` is not a complete reference; write ${{env:NAME}} or ${{file:PATH}}", written));
    }
    const std::string name(written.substr(prefix.size(), end - prefix.size()));
    Result<std::string> value = variable ? ReadVariable(name) : ReadSecretFile(name);
    if (!value) return std::move(value).error();
    resolved.text += value.value();
    resolved.has_references = true;
    written.remove_prefix(end + 1);
  }
  return resolved;
}

std::vector<std::string> FilesReferenced(std::string_view written) {
  std::vector<std::string> files;
  for (std::size_t at = 0; (at = written.find(kFromFile, at)) != std::string_view::npos;) {
    const bool escaped = at > 0 && written[at - 1] == '$';
    at += kFromFile.size();
    const std::size_t end = written.find('}', at);
    if (end == std::string_view::npos) break;
    if (!escaped) files.emplace_back(written.substr(at, end - at));
  }
  return files;
}

std::string EscapeReferences(std::string_view text) {
  std::string escaped;
  for (; !text.empty(); text.remove_prefix(1)) {
    if (text.starts_with(kFromEnvironment) || text.starts_with(kFromFile)) escaped += '$';
    escaped += text.front();
  }
  return escaped;
}

bool IsSecretOption(std::string_view option) {
  static constexpr std::array<std::string_view, 7> kParts = {
      "password", "secret", "jaas", "token", "credential", "oauthbearer.config", "private"};
  for (const std::string_view part : kParts) {
    // The URL of a token endpoint is not a secret.
    if (option.find(part) != std::string_view::npos && !option.ends_with(".url")) return true;
  }
  return option.starts_with("ssl.") && option.ends_with(".pem");
}

}  // namespace sash
