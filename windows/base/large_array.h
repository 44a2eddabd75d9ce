// LargeArray: an array of numbers that nobody has written yet, in huge pages where it is large
// enough for them: touching a page for the first time and looking it up are then paid once for
// 2 MiB instead of once for 4 KiB. What a kernel needs for one run.
//
// Thread safety: like a C array.
#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace sash {

template <typename T>
class LargeArray {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  LargeArray() = default;
  explicit LargeArray(std::size_t size) : size_(size) {
    constexpr std::size_t kHugePage = std::size_t{2} << 20;
    constexpr std::size_t kLine = 64;
    const std::size_t bytes = size * sizeof(T);
    // Rounding up may double what one takes; looking up numbers at random in 5 MB was a tenth
    // slower in small pages.
    const bool is_huge = bytes >= kHugePage;
    const std::size_t step = is_huge ? kHugePage : kLine;
    const std::size_t rounded = (std::max<std::size_t>(bytes, 1) + step - 1) / step * step;
    capacity_ = rounded / sizeof(T);
    memory_.reset(static_cast<T*>(std::aligned_alloc(step, rounded)));
    if (!memory_) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
    if (is_huge) madvise(memory_.get(), rounded, MADV_HUGEPAGE);  // a wish: it may fail
#endif
  }

  // What is new has not been written yet. O(1) amortised, but for touching it.
  void Grow(std::size_t size) {
    if (size > capacity_) {
      LargeArray larger(size + size / 8);
      std::copy(begin(), end(), larger.begin());
      *this = std::move(larger);
    }
    size_ = size;
  }

  std::size_t size() const { return size_; }
  T* data() { return memory_.get(); }
  const T* data() const { return memory_.get(); }
  T& operator[](std::size_t i) { return memory_.get()[i]; }
  const T& operator[](std::size_t i) const { return memory_.get()[i]; }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }

 private:
  struct Free {
    void operator()(T* memory) const { std::free(memory); }
  };
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
  std::unique_ptr<T, Free> memory_;
};

}  // namespace sash
