// CountedBytes: adds the bytes of an object to a store's count for as long as the object exists.
//
// An object that views share with the store is freed with its last reference, in any thread,
// perhaps after the store. So each such object has a CountedBytes. The store knows how many bytes
// its newest version holds; only views hold the rest of the count.
//
// Thread safety: like a size_t; the count is atomic.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <utility>

namespace sash {

using AliveBytes = std::atomic<std::size_t>;

class CountedBytes {
 public:
  CountedBytes() = default;  // counts nothing
  CountedBytes(std::shared_ptr<AliveBytes> alive, std::size_t bytes) : alive_(std::move(alive)) {
    Set(bytes);
  }
  // A copy belongs to another object of the same size.
  CountedBytes(const CountedBytes& other) : CountedBytes(other.alive_, other.bytes_) {}
  CountedBytes(CountedBytes&& other) noexcept { Swap(other); }
  CountedBytes& operator=(CountedBytes other) noexcept {
    Swap(other);
    return *this;
  }
  ~CountedBytes() { Set(0); }

  void Set(std::size_t bytes) {
    if (!alive_ || bytes == bytes_) return;
    alive_->fetch_add(bytes - bytes_, std::memory_order_relaxed);  // modulo 2^64: also subtracts
    bytes_ = bytes;
  }
  std::size_t bytes() const { return bytes_; }

 private:
  void Swap(CountedBytes& other) noexcept {
    alive_.swap(other.alive_);
    std::swap(bytes_, other.bytes_);
  }

  std::shared_ptr<AliveBytes> alive_;
  std::size_t bytes_ = 0;
};

}  // namespace sash
