// What `sashctl status` says of a daemon.
//
// Thread safety: a free function over values. Invariants as in answer_text.h.
#pragma once

#include <string>
#include <string_view>

#include "daemon/control/json_value.h"

namespace sash {

// The responses of /api/v1 and /readyz, under these names.
struct DaemonAnswers {
  JsonValue version;
  JsonValue readiness;
  JsonValue stream;
  JsonValue source;
  JsonValue windows;
  JsonValue jobs;
};

std::string StatusText(std::string_view url, const DaemonAnswers& answers);

}  // namespace sash
