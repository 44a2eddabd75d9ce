// Values of query parameters: present and right, absent, or an error that says what would be right.
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

// `text` as a whole number; `name` is what it is called in the error.
Result<std::uint64_t> ParseNumber(const std::string& name, const std::string& text,
                                  NumberRange range);

// The parameter as a whole number; nothing when it is not there.
Result<std::optional<std::uint64_t>> NumberValue(const HttpRequest& request,
                                                 const std::string& name, NumberRange range);

}  // namespace sash
