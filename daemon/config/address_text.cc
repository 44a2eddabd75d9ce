#include "daemon/config/address_text.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>

#include <algorithm>
#include <cctype>
#include <charconv>

namespace sash {
namespace {

Error WrongAddress(std::string_view text, std::string_view why, int least_port) {
  return {
      ErrorCode::kInvalidArgument,
      fmt::format("`{}` {}; give host:port with a port from {} to 65535", text, why, least_port)};
}

bool IsHostName(std::string_view host) {
  return !host.empty() && host.size() <= 253 && std::ranges::all_of(host, [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '.' || c == '-' || c == '_';
  });
}

constexpr std::string_view kLocalHost = "localhost";

std::string Lower(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

bool IsIpv6(const std::string& host) {
  in6_addr address;
  const std::string bare = host.substr(0, host.find('%'));  // drop a zone id
  return inet_pton(AF_INET6, bare.c_str(), &address) == 1;
}

std::string_view Trim(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

}  // namespace

Result<HostPort> ParseHostPort(std::string_view text, int least_port) {
  if (text.find("://") != std::string_view::npos) {
    return WrongAddress(text, "has a scheme, which does not belong here", least_port);
  }
  const bool bracket = text.starts_with('[');
  const std::size_t colon = bracket ? text.find("]:") : text.find(':');
  if (colon == std::string_view::npos) return WrongAddress(text, "has no port", least_port);
  HostPort address;
  address.host = bracket ? text.substr(1, colon - 1) : text.substr(0, colon);
  const std::string_view port = text.substr(colon + (bracket ? 2 : 1));
  if (!bracket && port.find(':') != std::string_view::npos) {
    return WrongAddress(text, "has several colons (IPv6 goes in brackets: [::1]:9092)", least_port);
  }
  if (bracket ? !IsIpv6(address.host) : !IsHostName(address.host)) {
    return WrongAddress(text, "has no valid host", least_port);
  }
  int number = -1;
  const auto [end, failure] = std::from_chars(port.data(), port.data() + port.size(), number);
  if (failure != std::errc() || end != port.data() + port.size() || number < least_port ||
      number > 65535) {
    return WrongAddress(text, "has no valid port", least_port);
  }
  address.port = static_cast<std::uint16_t>(number);
  return address;
}

Result<HostPort> ParseListenAddress(std::string_view text) {
  Result<HostPort> address = ParseHostPort(text, 0);
  if (!address) return address;
  std::string& host = address.value().host;
  if (Lower(host) == kLocalHost) {
    host = kLocalHost;
    return address;
  }
  in_addr v4;
  in6_addr v6;
  if (inet_pton(AF_INET, host.c_str(), &v4) == 1 || inet_pton(AF_INET6, host.c_str(), &v6) == 1) {
    return address;
  }
  return Error{
      ErrorCode::kInvalidArgument,
      fmt::format("`{}` is not an IP address to listen on; give that of an interface (0.0.0.0 "
                  "and [::] are all of them), or localhost, with a port",
                  host)};
}

bool Collide(const HostPort& a, const HostPort& b) {
  if (a.port == 0 || a.port != b.port) return false;
  const auto spelt = [](const std::string& host) {
    return host == kLocalHost ? std::string("127.0.0.1") : host;
  };
  const auto is_any = [](const std::string& host) { return host == "0.0.0.0" || host == "::"; };
  return spelt(a.host) == spelt(b.host) || is_any(a.host) || is_any(b.host);
}

std::string FormatHostPort(std::string_view host, std::uint16_t port) {
  if (host.find(':') != std::string_view::npos) return fmt::format("[{}]:{}", host, port);
  return fmt::format("{}:{}", host, port);
}

Result<std::string> ParseBrokers(std::string_view text) {
  if (text == "embedded") return std::string(text);
  std::string brokers;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string_view broker = Trim(text.substr(begin, end - begin));
    Result<HostPort> address = ParseHostPort(broker, 1);
    if (!address) {
      return Error{
          ErrorCode::kInvalidArgument,
          address.error().message +
              " (several are separated by commas; `embedded` is a broker in this process)"};
    }
    brokers += fmt::format("{}{}", brokers.empty() ? "" : ",", broker);
    begin = end + 1;
  }
  return brokers;
}

bool IsLoopback(std::string_view host) {
  const std::string lower = Lower(host);
  if (lower == kLocalHost) return true;
  in_addr v4;
  if (inet_pton(AF_INET, lower.c_str(), &v4) == 1) return ntohl(v4.s_addr) >> 24 == 127;
  in6_addr v6;
  return inet_pton(AF_INET6, lower.c_str(), &v6) == 1 && IN6_IS_ADDR_LOOPBACK(&v6);
}

}  // namespace sash
