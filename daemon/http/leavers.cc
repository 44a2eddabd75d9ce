#include "daemon/http/leavers.h"

#include <sys/epoll.h>
#include <unistd.h>

#include <array>

namespace sash {

Leavers::Leavers() : epoll_(epoll_create1(EPOLL_CLOEXEC)) {}

Leavers::~Leavers() {
  if (epoll_ >= 0) close(epoll_);
}

void Leavers::Add(int descriptor, void* client) {
  epoll_event watched{};
  watched.events = EPOLLRDHUP | EPOLLONESHOT;  // EPOLLHUP and EPOLLERR are always reported
  watched.data.ptr = client;
  (void)epoll_ctl(epoll_, EPOLL_CTL_ADD, descriptor, &watched);
}

void Leavers::Remove(int descriptor) {
  (void)epoll_ctl(epoll_, EPOLL_CTL_DEL, descriptor, nullptr);
}

std::vector<void*> Leavers::Take() {
  std::vector<void*> left;
  std::array<epoll_event, 64> events;
  for (;;) {
    const int count = epoll_wait(epoll_, events.data(), events.size(), 0);
    for (int i = 0; i < count; ++i) {
      void* const client =
          events[static_cast<std::size_t>(i)].data.ptr;  // a copy: the field is packed
      left.push_back(client);
    }
    if (count < static_cast<int>(events.size())) return left;
  }
}

}  // namespace sash
