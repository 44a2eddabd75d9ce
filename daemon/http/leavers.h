// Leavers: detects clients of streams that have closed their connection.
//
// The library does not watch the socket of a suspended connection. Without this class, a client
// that leaves while its stream is silent would be noticed only at the next write. A client that
// closes only its own side has left too.
//
// Thread safety: belongs to the server's thread.
#pragma once

#include <vector>

namespace sash {

class Leavers {
 public:
  Leavers();
  ~Leavers();
  Leavers(const Leavers&) = delete;
  Leavers& operator=(const Leavers&) = delete;

  // Take() returns `client` once. Call Remove() before closing the descriptor.
  void Add(int descriptor, void* client);
  void Remove(int descriptor);

  // The clients that have left since the last call; they are not watched any more. Does not block.
  std::vector<void*> Take();

  // Becomes readable when a client has left.
  int descriptor() const { return epoll_; }

 private:
  const int epoll_;  // negative if no descriptors were left: nothing is detected
};

}  // namespace sash
