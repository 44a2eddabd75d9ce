// Network addresses as text: "host:port", with IPv6 in brackets.
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

// An address to listen on: that of an interface, or localhost. Names would have to be looked up.
Result<HostPort> ParseListenAddress(std::string_view text);

// Whether nobody can listen on both.
bool Collide(const HostPort& a, const HostPort& b);

// "embedded", or host:port separated by commas; blanks beside commas are dropped.
Result<std::string> ParseBrokers(std::string_view text);

bool IsLoopback(std::string_view host);

}  // namespace sash
