// ReadAtTheEnd: makes objects at whose destruction another thread reads something. If the object is
// destroyed under a lock that the reader takes, the reader waits, and this is counted.
//
// Thread safety: objects may be destroyed by any thread, but by one at a time.
#pragma once

#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

namespace sash::testing {

class ReadAtTheEnd {
 public:
  explicit ReadAtTheEnd(std::function<void()> read) : read_(std::move(read)) {}
  ~ReadAtTheEnd() { (void)Waited(); }
  ReadAtTheEnd(const ReadAtTheEnd&) = delete;
  ReadAtTheEnd& operator=(const ReadAtTheEnd&) = delete;

  template <typename T, typename... Arguments>
  std::shared_ptr<T> Make(Arguments&&... arguments) {
    return {new T(std::forward<Arguments>(arguments)...), [this](T* ended) {
              Read();
              delete ended;
            }};
  }

  int ended() const { return ended_; }  // objects
  // How many readers had to wait for the end of an object. All of them have read when it returns.
  int Waited() {
    for (std::thread& reader : std::exchange(readers_, {})) reader.join();
    return waited_;
  }

 private:
  void Read() {
    ++ended_;
    std::promise<void> read;
    std::future<void> done = read.get_future();
    readers_.emplace_back([this, read = std::move(read)]() mutable {
      read_();
      read.set_value();
    });
    const std::chrono::seconds patience(waited_ == 0 ? 3 : 0);
    if (done.wait_for(patience) != std::future_status::ready) ++waited_;
  }

  const std::function<void()> read_;
  std::vector<std::thread> readers_;
  int ended_ = 0;
  int waited_ = 0;
};

}  // namespace sash::testing
