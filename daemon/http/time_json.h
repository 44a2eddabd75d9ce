#pragma once

#include <string>

#include "windows/base/clock.h"

namespace sash {

// A time as the API writes it: RFC 3339, UTC, 3 decimals, or 6 or 9 when milliseconds do not say
// it.
std::string TimeJson(EventTime time);

}  // namespace sash
