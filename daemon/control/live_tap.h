// `sashctl tap`: edges as the daemon decodes them, a line each.
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
  std::optional<std::uint64_t> count{};             // end after so many edges
  std::optional<std::chrono::milliseconds> time{};  // end after so long
};

// Until there has been enough, the stream ends, or `print` fails. It takes edges as JSON, as they
// came, and says what to end with: kControlOk to go on.
LiveEnd ShowLiveTap(const ApiSettings& settings, const TapQuestion& question,
                    const std::function<int(std::string_view edge)>& print);

}  // namespace sash
