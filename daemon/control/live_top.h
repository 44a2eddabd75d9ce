// `sashctl top` on a terminal: draws anew when events tell of a result.
//
// Thread safety: none.
#pragma once

#include <cstddef>
#include <string>

#include "daemon/control/api_client.h"

namespace sash {

struct LiveEnd {
  int code = 0;         // a ControlExit
  std::string message;  // empty: the person has seen enough
};

// Until the person leaves, the job is removed, or there is nothing to follow in the first place. A
// daemon that goes away later may come back.
LiveEnd ShowLiveTop(ApiSettings settings, const std::string& job, std::size_t rows);

}  // namespace sash
