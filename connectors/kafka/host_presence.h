// HostPresence: whether this process is the only one of its kind on this host, and what the host is
// called among the members of a consumer group.
//
// A member that was killed stays in its group until its session times out. When a member has this
// host's name, and no process of the host has the presence of its kind, then it is dead already.
//
// Presence is an abstract Unix socket: the kernel takes it back when the process ends, however it
// ends. It belongs to a network namespace, so a host is one here, and its name (HostName()), which
// is to be part of the kind, says so.
//
// Thread safety: belongs to one thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sash {

class HostPresence {
 public:
  // `kind` is what processes have in common that exclude each other; its length does not matter.
  explicit HostPresence(std::string_view kind);
  ~HostPresence();
  HostPresence(const HostPresence&) = delete;
  HostPresence& operator=(const HostPresence&) = delete;

  enum class Holder : std::uint8_t {
    kThis,     // until the end of this object
    kAnother,  // a process that lives
    kUnknown,  // there can be no such sockets here
  };

  // Takes it if it is free. Does not wait.
  Holder Take();

 private:
  const std::string address_;
  int socket_ = -1;
};

// "sash-<host name>-<8 hexadecimal digits>": the digits tell hosts of one name apart, the lives of
// a machine, and the network namespaces of one life. Letters, digits, dots, dashes and underscores.
std::string HostName();

// The same text, the same 16 hexadecimal digits; in every version.
std::string Digest(std::string_view text);

}  // namespace sash
