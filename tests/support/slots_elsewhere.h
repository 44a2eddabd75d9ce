// SlotsElsewhere: a memory resource for edges outside the usual heap, which checks the sizes of
// freed blocks.
//
// Thread safety: every function may be called from any thread.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <new>

namespace sash::testing {

class SlotsElsewhere : public std::pmr::memory_resource {
 public:
  std::int64_t bytes() const { return bytes_; }  // allocated now

 private:
  // The requested size is stored in front of each block.
  static constexpr std::size_t kFront = 64;

  void* do_allocate(std::size_t bytes, std::size_t) override {
    auto* const place = static_cast<std::byte*>(::operator new(bytes + kFront));
    *reinterpret_cast<std::size_t*>(place) = bytes;
    bytes_ += static_cast<std::int64_t>(bytes);
    return place + kFront;
  }
  void do_deallocate(void* memory, std::size_t bytes, std::size_t) override {
    std::byte* const place = static_cast<std::byte*>(memory) - kFront;
    EXPECT_EQ(*reinterpret_cast<std::size_t*>(place), bytes);
    bytes_ -= static_cast<std::int64_t>(bytes);
    ::operator delete(place);
  }
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }

  std::atomic<std::int64_t> bytes_ = 0;
};

}  // namespace sash::testing
