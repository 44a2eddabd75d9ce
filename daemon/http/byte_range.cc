#include "daemon/http/byte_range.h"

#include <algorithm>
#include <charconv>

namespace sash {
namespace {

constexpr std::string_view kBytesUnit = "bytes=";

// Nothing: it is not a whole number. A number beyond 64 bits is the greatest one.
std::optional<std::uint64_t> RangeNumber(std::string_view digits) {
  if (digits.empty() || digits.find_first_not_of("0123456789") != std::string_view::npos) {
    return std::nullopt;
  }
  std::uint64_t number = 0;
  const auto [rest, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return error == std::errc() ? number : UINT64_MAX;
}

RequestedRange LastBytes(std::uint64_t count, std::uint64_t file_bytes) {
  if (count == 0 || file_bytes == 0) return {.kind = RangeKind::kBeyond};
  return {RangeKind::kPart, {file_bytes - std::min(count, file_bytes), file_bytes}};
}

}  // namespace

RequestedRange ParseRange(std::string_view text, std::uint64_t file_bytes) {
  if (!text.starts_with(kBytesUnit)) return {};
  text.remove_prefix(kBytesUnit.size());
  const std::size_t dash = text.find('-');
  if (dash == std::string_view::npos) return {};
  const auto first = RangeNumber(text.substr(0, dash));
  const auto last = RangeNumber(text.substr(dash + 1));
  const bool is_open = dash + 1 == text.size();
  if (dash == 0) return last ? LastBytes(*last, file_bytes) : RequestedRange{};
  if (!first || (!last && !is_open) || (last && *last < *first)) return {};
  if (*first >= file_bytes) return {.kind = RangeKind::kBeyond};
  const std::uint64_t end = is_open ? file_bytes : std::min(*last, file_bytes - 1) + 1;
  return {RangeKind::kPart, {*first, end}};
}

RequestedRange RangeOf(const HttpRequest& request, std::uint64_t file_bytes, std::string_view tag) {
  RequestedRange whole{.range = {0, file_bytes}};
  const auto asked = request.headers.find("range");
  if (asked == request.headers.end()) return whole;
  const auto only_if = request.headers.find("if-range");
  if (only_if != request.headers.end() && only_if->second != tag) return whole;
  const RequestedRange parsed = ParseRange(asked->second, file_bytes);
  return parsed.kind == RangeKind::kWhole ? whole : parsed;
}

}  // namespace sash
