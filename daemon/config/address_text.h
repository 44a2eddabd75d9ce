// Network addresses as text: "host:port", with IPv6 in brackets.
//
// Thread safety: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "windows/base/result.h"

namespace sash {

struct HostPort {
  std::string host;  // IPv6 without its brackets
  std::uint16_t port = 0;
};

Result<HostPort> ParseHostPort(std::string_view text, int least_port);
std::string FormatHostPort(std::string_view host, std::uint16_t port);

// An address to listen on: the IP address of an interface, or localhost. Other names are refused,
// because they would need a DNS lookup.
Result<HostPort> ParseListenAddress(std::string_view text);

// Whether one process cannot listen on both.
bool Collide(const HostPort& a, const HostPort& b);

// "embedded", or host:port separated by commas; blanks around commas are dropped.
Result<std::string> ParseBrokers(std::string_view text);

bool IsLoopback(std::string_view host);

}  // namespace sash
