// Answers to changes that cannot be made.
//
// Thread safety: pure functions.
#pragma once

#include <vector>

#include "daemon/config/parse_config.h"
#include "daemon/http/change_request.h"
#include "windows/base/result.h"

namespace sash {

// 422, with every key that has an error.
HttpResponse RefuseKeys(const std::vector<ConfigError>& errors);

// The refusal of a part of the running process: 409 if the change conflicts with what exists
// (kInvalidArgument), otherwise 503.
HttpResponse RefuseChange(const Error& error);

}  // namespace sash
