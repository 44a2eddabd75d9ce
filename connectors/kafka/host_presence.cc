#include "connectors/kafka/host_presence.h"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <fstream>

namespace sash {

HostPresence::HostPresence(std::string_view kind) : address_("sash-" + Digest(kind)) {}

HostPresence::~HostPresence() {
  if (socket_ >= 0) ::close(socket_);
}

HostPresence::Holder HostPresence::Take() {
  if (socket_ >= 0) return Holder::kThis;
  const int made = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (made < 0) return Holder::kUnknown;
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  std::ranges::copy(address_, name.sun_path + 1);  // it begins with a zero: no file
  const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + address_.size());
  if (::bind(made, reinterpret_cast<const sockaddr*>(&name), length) != 0) {
    const bool in_use = errno == EADDRINUSE;
    ::close(made);
    return in_use ? Holder::kAnother : Holder::kUnknown;
  }
  socket_ = made;
  return Holder::kThis;
}

std::string HostName() {
  std::array<char, 64> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0) name = {"host"};
  std::string safe = name.data();
  std::ranges::replace_if(
      safe,
      [](unsigned char c) { return std::isalnum(c) == 0 && c != '.' && c != '-' && c != '_'; },
      '_');
  std::string life;
  std::ifstream("/proc/sys/kernel/random/boot_id") >> life;
  struct stat network {};
  // If these are not known, no member counts as a member of this host.
  if (life.empty() || ::stat("/proc/self/ns/net", &network) != 0) {
    life += fmt::format("process {}", ::getpid());
  }
  const std::string digest = Digest(fmt::format("{} {} {}", safe, life, network.st_ino));
  return fmt::format("sash-{}-{}", safe, digest.substr(0, 8));
}

std::string Digest(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
  for (const unsigned char c : text) hash = (hash ^ c) * 0x100000001b3;
  return fmt::format("{:016x}", hash);
}

}  // namespace sash
