// A listening TCP socket.
#pragma once

#include <cstdint>
#include <string>

#include "windows/base/result.h"

struct sockaddr;

namespace sash {

struct ListeningSocket {
  int descriptor = -1;  // owned by whoever took it
  std::uint16_t port = 0;
};

// An address as text, without its port: "127.0.0.1". Of no IP address: "".
std::string AddressText(const sockaddr& address);

// Whether text is a loopback address: 127.0.0.0/8, ::1, and the former written as IPv6.
bool IsLoopbackAddress(const std::string& text);

// `host` is an IP address or "localhost"; unless `any_address`, a loopback one. Port 0 takes a free
// one.
Result<ListeningSocket> Listen(const std::string& host, std::uint16_t port, bool any_address);

}  // namespace sash
