// HostPresence: whether this process is the only one of its kind on this host, and the name of the
// host among the members of a consumer group.
//
// A member that was killed stays in its group until its session times out. If a member has this
// host's name and no process of the host has the presence of its kind, the member is dead already.
//
// Presence is an abstract Unix socket: the kernel removes it when the process ends, however it
// ends. It belongs to a network namespace, so "host" means a network namespace here. HostName()
// differs between network namespaces, and has to be part of the kind.
//
// Thread safety: belongs to one thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sash {

class HostPresence {
 public:
  // Processes with the same `kind` exclude each other. It may have any length.
  explicit HostPresence(std::string_view kind);
  ~HostPresence();
  HostPresence(const HostPresence&) = delete;
  HostPresence& operator=(const HostPresence&) = delete;

  enum class Holder : std::uint8_t {
    kThis,     // until the end of this object
    kAnother,  // another living process
    kUnknown,  // this system has no such sockets
  };

  // Takes the presence if it is free. Does not wait.
  Holder Take();

 private:
  const std::string address_;
  int socket_ = -1;
};

// "sash-<host name>-<8 hexadecimal digits>", of letters, digits, dots, dashes and underscores. The
// digits differ between hosts of the same name, between boots, and between network namespaces.
std::string HostName();

// 16 hexadecimal digits; the same for the same text in every version of Sash.
std::string Digest(std::string_view text);

}  // namespace sash
