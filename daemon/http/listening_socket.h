// A listening TCP socket.
//
// Thread safety: free functions.
#pragma once

#include <cstdint>
#include <string>

#include "windows/base/result.h"

struct sockaddr;

namespace sash {

struct ListeningSocket {
  int descriptor = -1;  // owned by the caller of Listen()
  std::uint16_t port = 0;
};

// An address as text, without its port: "127.0.0.1". "" if it is not an IP address.
std::string AddressText(const sockaddr& address);

// Whether text is a loopback address: 127.0.0.0/8 (also as a mapped IPv6 address) or ::1.
bool IsLoopbackAddress(const std::string& text);

// `host` is an IP address or "localhost"; unless `any_address`, it must be a loopback address. Port
// 0: any free port.
Result<ListeningSocket> Listen(const std::string& host, std::uint16_t port, bool any_address);

}  // namespace sash
