// LargeArray: an uninitialised array, in huge pages if it is large enough. Page faults and TLB
// misses then occur once per 2 MiB instead of once per 4 KiB. Kernels use it for one run.
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
    // Rounding up may double the memory of one array. Random lookups in 5 MB were a tenth slower
    // with small pages.
    const bool is_huge = bytes >= kHugePage;
    const std::size_t step = is_huge ? kHugePage : kLine;
    const std::size_t rounded = (std::max<std::size_t>(bytes, 1) + step - 1) / step * step;
    capacity_ = rounded / sizeof(T);
    memory_.reset(static_cast<T*>(std::aligned_alloc(step, rounded)));
    if (!memory_) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
    if (is_huge) madvise(memory_.get(), rounded, MADV_HUGEPAGE);  // a hint: failure is harmless
#endif
  }

  // New elements are uninitialised. O(1) amortised, except for touching their pages.
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
