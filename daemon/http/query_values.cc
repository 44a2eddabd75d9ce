#include "daemon/http/query_values.h"

#include <fmt/format.h>

#include <charconv>
#include <system_error>

namespace sash {

Result<std::uint64_t> ParseNumber(const std::string& name, const std::string& text,
                                  NumberRange range) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < range.least ||
      value > range.greatest) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("{}: must be a whole number from {} to {}, got '{}'", name,
                             range.least, range.greatest, text)};
  }
  return value;
}

Result<std::optional<std::uint64_t>> NumberValue(const HttpRequest& request,
                                                 const std::string& name, NumberRange range) {
  const auto found = request.query.find(name);
  if (found == request.query.end()) return std::optional<std::uint64_t>();
  const Result<std::uint64_t> value = ParseNumber(name, found->second, range);
  if (!value) return value.error();
  return std::optional(value.value());
}

}  // namespace sash
