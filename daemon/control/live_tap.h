// `sashctl tap`: edges as the daemon decodes them, one a line.
//
// Thread safety: none.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "daemon/control/api_client.h"
#include "daemon/control/live_top.h"

namespace sash {

struct TapQuestion {
  std::string path;                                 // of the API, with its query
  std::optional<std::uint64_t> count{};             // end after this number of edges
  std::optional<std::chrono::milliseconds> time{};  // end after this time
};

// Runs until the count or time is reached, the stream ends, or `print` fails. `print` takes an edge
// as JSON, unchanged, and returns kControlOk to go on, or the exit code.
LiveEnd ShowLiveTap(const ApiSettings& settings, const TapQuestion& question,
                    const std::function<int(std::string_view edge)>& print);

}  // namespace sash
