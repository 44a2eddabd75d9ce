// StableVector: a growing array whose elements never move.
//
// Thread safety
//   One thread writes: push_back(), Set(). Other threads may read an element without a lock after
//   it has been published to them, as long as the writer does not Set() it meanwhile.
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <memory>
#include <type_traits>

#include "windows/base/check.h"

namespace sash {

// For at most 2^32 elements, in chunks of at most 1 MiB.
template <typename T>
class StableVector {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  StableVector() = default;
  StableVector(const StableVector&) = delete;
  StableVector& operator=(const StableVector&) = delete;
  ~StableVector() {
    for (std::size_t i = 0; i < ChunksFor(size_); ++i) delete[] Chunk(i);
  }

  void push_back(const T& value) {
    const std::size_t chunk = size_ >> kChunkBits;
    SASH_CHECK(chunk < kChunks);
    if (chunks_ == nullptr) chunks_ = std::make_unique<std::atomic<T*>[]>(kChunks);
    if ((size_ & kChunkMask) == 0) {
      auto elements = std::make_unique_for_overwrite<T[]>(kChunkMask + 1);
      chunks_[chunk].store(elements.release(), std::memory_order_release);
    }
    Chunk(chunk)[size_ & kChunkMask] = value;
    ++size_;
  }
  void Set(std::size_t i, const T& value) { Chunk(i >> kChunkBits)[i & kChunkMask] = value; }
  const T& operator[](std::size_t i) const { return Chunk(i >> kChunkBits)[i & kChunkMask]; }

  std::size_t size() const { return size_; }
  std::size_t bytes() const {
    if (chunks_ == nullptr) return 0;
    return ChunksFor(size_) * (sizeof(T) << kChunkBits) + kChunks * sizeof(T*);
  }

 private:
  static constexpr unsigned kChunkBits = 20 - std::bit_width(sizeof(T) - 1);
  static constexpr std::size_t kChunkMask = (std::size_t{1} << kChunkBits) - 1;
  static constexpr std::size_t kChunks = std::size_t{1} << (32 - kChunkBits);
  static std::size_t ChunksFor(std::size_t size) { return (size + kChunkMask) >> kChunkBits; }

  T* Chunk(std::size_t i) const { return chunks_[i].load(std::memory_order_acquire); }

  std::unique_ptr<std::atomic<T*>[]> chunks_;  // allocated with the first element
  std::size_t size_ = 0;
};

}  // namespace sash
