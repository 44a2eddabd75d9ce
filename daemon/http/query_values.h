// Values of query parameters: valid, absent, or an error that states the valid range.
//
// Thread safety: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "daemon/http/http_message.h"
#include "windows/base/result.h"

namespace sash {

struct NumberRange {
  std::uint64_t least = 0;
  std::uint64_t greatest = 0;  // inclusive
};

// `text` as a whole number; errors call it `name`.
Result<std::uint64_t> ParseNumber(const std::string& name, const std::string& text,
                                  NumberRange range);

// The parameter as a whole number; nothing if it is absent.
Result<std::optional<std::uint64_t>> NumberValue(const HttpRequest& request,
                                                 const std::string& name, NumberRange range);

}  // namespace sash
