// Leavers: which of the clients that are only sent something have gone.
//
// The library looks at no socket that it has nothing to do with: who leaves while a stream is
// silent would be noticed when it is written to next. A client that closes its side alone has left
// too.
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

  // `who` is told once. Remove() comes before the descriptor is closed.
  void Add(int descriptor, void* who);
  void Remove(int descriptor);

  // Those that have left since the last look; they are watched no more. Does not wait.
  std::vector<void*> Take();

  // Can be read when somebody has left.
  int descriptor() const { return epoll_; }

 private:
  const int epoll_;  // negative, when there are no descriptors left: nobody is noticed
};

}  // namespace sash
