#include "daemon/http/listening_socket.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <system_error>

namespace sash {
namespace {

constexpr int kBacklog = 1024;  // connections that wait to be accepted

union Address {
  sockaddr any;
  sockaddr_in v4;
  sockaddr_in6 v6;
};

socklen_t SizeOf(const Address& address) {
  return address.any.sa_family == AF_INET ? sizeof(address.v4) : sizeof(address.v6);
}

bool Parse(std::string host, std::uint16_t port, Address& address) {
  if (host == "localhost") host = "127.0.0.1";
  std::memset(&address, 0, sizeof(address));
  if (inet_pton(AF_INET, host.c_str(), &address.v4.sin_addr) == 1) {
    address.v4.sin_family = AF_INET;
    address.v4.sin_port = htons(port);
    return true;
  }
  if (inet_pton(AF_INET6, host.c_str(), &address.v6.sin6_addr) == 1) {
    address.v6.sin6_family = AF_INET6;
    address.v6.sin6_port = htons(port);
    return true;
  }
  return false;
}

bool IsLoopback(const Address& address) {
  if (address.any.sa_family == AF_INET) return ntohl(address.v4.sin_addr.s_addr) >> 24 == 127;
  const in6_addr& v6 = address.v6.sin6_addr;
  return IN6_IS_ADDR_LOOPBACK(&v6) || (IN6_IS_ADDR_V4MAPPED(&v6) && v6.s6_addr[12] == 127);
}

Error Failed(const std::string& host, std::uint16_t port, std::string_view why) {
  const bool v6 = host.find(':') != std::string::npos;
  return {ErrorCode::kUnavailable, fmt::format("listen on http://{}{}{}:{}: {}", v6 ? "[" : "",
                                               host, v6 ? "]" : "", port, why)};
}

std::string Reason(int code, std::uint16_t port) {
  if (code == EADDRINUSE) {
    return fmt::format(
        "the port is in use; stop the process that listens on {}, or choose another http.listen",
        port);
  }
  return std::system_category().message(code);
}

}  // namespace

bool IsLoopbackAddress(const std::string& text) {
  Address address;
  return Parse(text, 0, address) && IsLoopback(address);
}

std::string AddressText(const sockaddr& address) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  const void* bytes = nullptr;
  if (address.sa_family == AF_INET) bytes = &reinterpret_cast<const sockaddr_in&>(address).sin_addr;
  if (address.sa_family == AF_INET6) {
    bytes = &reinterpret_cast<const sockaddr_in6&>(address).sin6_addr;
  }
  if (bytes == nullptr) return {};
  const char* const written = inet_ntop(address.sa_family, bytes, text.data(), text.size());
  return written == nullptr ? std::string() : std::string(written);
}

Result<ListeningSocket> Listen(const std::string& host, std::uint16_t port, bool any_address) {
  Address address;
  if (!Parse(host, port, address)) {
    return Failed(host, port, "not an IP address; use 127.0.0.1, ::1 or localhost");
  }
  if (!any_address && !IsLoopback(address)) {
    return Failed(host, port, "not a loopback address, and nothing protects it; use 127.0.0.1");
  }
  const int descriptor =
      socket(address.any.sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (descriptor < 0) return Failed(host, port, Reason(errno, port));
  // Allows a restart while connections of the previous process are in TIME_WAIT. A second listener
  // on the port still fails.
  const int reuse = 1;
  (void)setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &reuse, sizeof(reuse));
  socklen_t size = SizeOf(address);
  if (bind(descriptor, &address.any, size) != 0 || listen(descriptor, kBacklog) != 0 ||
      getsockname(descriptor, &address.any, &size) != 0) {
    const int code = errno;
    close(descriptor);
    return Failed(host, port, Reason(code, port));
  }
  const in_port_t bound =
      address.any.sa_family == AF_INET ? address.v4.sin_port : address.v6.sin6_port;
  return ListeningSocket{descriptor, ntohs(bound)};
}

}  // namespace sash
