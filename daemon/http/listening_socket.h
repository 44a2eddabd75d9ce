// A listening TCP socket on a loopback address.
#pragma once

#include <cstdint>
#include <string>

#include "windows/base/result.h"

namespace sash {

struct ListeningSocket {
  int descriptor = -1;  // owned by whoever took it
  std::uint16_t port = 0;
};

// `host` is a loopback address (127.0.0.0/8, ::1) or "localhost". Port 0 takes a free one.
Result<ListeningSocket> ListenOnLoopback(const std::string& host, std::uint16_t port);

}  // namespace sash
