#include "daemon/http/request_target.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "daemon/http/header_words.h"
#include "windows/base/utf8.h"

namespace sash {
namespace {

Error Invalid(std::string message) { return {ErrorCode::kInvalidArgument, std::move(message)}; }

std::optional<unsigned> HexDigit(char c) {
  if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a') + 10;
  if (c >= 'A' && c <= 'F') return static_cast<unsigned>(c - 'A') + 10;
  return std::nullopt;
}

Result<std::string> Decode(std::string_view text, bool plus_is_space) {
  std::string decoded;
  decoded.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      decoded.push_back(plus_is_space && text[i] == '+' ? ' ' : text[i]);
      continue;
    }
    const auto high = i + 1 < text.size() ? HexDigit(text[i + 1]) : std::nullopt;
    const auto low = i + 2 < text.size() ? HexDigit(text[i + 2]) : std::nullopt;
    if (!high || !low) {
      return Invalid(fmt::format(
          "'{}' is not percent-encoded: % needs two hexadecimal digits; write % itself as %25",
          text));
    }
    decoded.push_back(static_cast<char>(*high << 4 | *low));
    i += 2;
  }
  if (!IsUtf8(decoded)) {
    return Invalid(fmt::format("'{}' is not UTF-8; percent-encode the bytes of UTF-8 text", text));
  }
  return decoded;
}

// Calls each(part) for the parts of `text`; stops at an error.
template <typename Each>
Status Split(std::string_view text, char separator, const Each& each) {
  for (;;) {
    const std::size_t end = text.find(separator);
    Status done = each(text.substr(0, end));
    if (!done || end == std::string_view::npos) return done;
    text.remove_prefix(end + 1);
  }
}

Status AddParameter(std::string_view text, std::map<std::string, std::string>& query) {
  if (text.empty()) return Ok{};
  const std::size_t equals = text.find('=');
  Result<std::string> name = Decode(text.substr(0, equals), true);
  if (!name) return std::move(name).error();
  Result<std::string> value =
      Decode(equals == std::string_view::npos ? std::string_view() : text.substr(equals + 1), true);
  if (!value) return std::move(value).error();
  if (!query.emplace(name.value(), std::move(value).value()).second) {
    return Invalid(fmt::format("'{}' is given twice; give it once", name.value()));
  }
  return Ok{};
}

// "http://host/path" becomes "/path": clients of proxies send the absolute form (RFC 9112, section
// 3.2.2). The rest may be empty or begin with the query.
std::string_view WithoutAuthority(std::string_view target) {
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (LowerCased(target.substr(0, scheme.size())) != scheme) continue;
    target.remove_prefix(scheme.size());
    return target.substr(std::min(target.find_first_of("/?#"), target.size()));
  }
  return target;
}

}  // namespace

Result<RequestTarget> ParseTarget(std::string_view target) {
  const std::string_view local = WithoutAuthority(target);
  const std::size_t question = local.find('?');
  std::string_view path_text = local.substr(0, question);
  // Only the absolute form may have an empty path, which means "/".
  const bool is_absolute = local.size() < target.size();
  if (path_text.empty() && is_absolute) path_text = "/";
  if (!path_text.starts_with('/')) return Invalid("the request's target must begin with /");
  RequestTarget parsed;
  Status path = Split(path_text.substr(1), '/', [&](std::string_view segment) -> Status {
    Result<std::string> decoded = Decode(segment, false);
    if (!decoded) return std::move(decoded).error();
    parsed.path.push_back(std::move(decoded).value());
    return Ok{};
  });
  if (!path) return std::move(path).error();
  if (question != std::string_view::npos) {
    Status query = Split(local.substr(question + 1), '&',
                         [&](std::string_view text) { return AddParameter(text, parsed.query); });
    if (!query) return std::move(query).error();
  }
  return parsed;
}

}  // namespace sash
