// `sashctl top` on a terminal: redraws when an event reports a result.
//
// Thread safety: none.
#pragma once

#include <cstddef>
#include <string>

#include "daemon/control/api_client.h"

namespace sash {

struct LiveEnd {
  int code = 0;         // a ControlExit
  std::string message;  // empty: the user quit
};

// Runs until the user quits, the job is removed, or there is nothing to follow at the start. If the
// daemon goes away later, it waits for it to come back.
LiveEnd ShowLiveTop(ApiSettings settings, const std::string& job, std::size_t rows);

}  // namespace sash
