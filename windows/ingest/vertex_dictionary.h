// VertexDictionary: vertex keys to dense ids and back.
//
// Ids are handed out in order of first appearance, which puts hubs first.
//
// Thread safety
//   Intern*() belong to the engine thread, through a Writer. Everything else may be called from any
//   thread: KeyOf() without a lock, for an id that reached the caller through a published view or
//   result; Find() waits for a Writer.
//
// Invariants
//   (1) Id and key are one to one; ids are 0 .. size() - 1.
//   (2) The text of a key never moves while its id is in use.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <vector>

#include "windows/base/check.h"
#include "windows/base/ids.h"
#include "windows/base/thread_annotations.h"
#include "windows/ingest/edge_event.h"
#include "windows/ingest/vertex_key.h"

namespace sash {

// Appended to by one thread and read by many without a lock: elements never move.
template <typename T>
class StableVector {
 public:
  StableVector() = default;
  StableVector(const StableVector&) = delete;
  StableVector& operator=(const StableVector&) = delete;
  ~StableVector() {
    for (auto& chunk : chunks_) delete[] chunk.load(std::memory_order_relaxed);
  }

  void push_back(const T& value) {
    const std::size_t chunk = size_ >> kChunkBits;
    SASH_CHECK(chunk < chunks_.size());
    T* elements = chunks_[chunk].load(std::memory_order_relaxed);
    if (elements == nullptr) {
      elements = std::make_unique<T[]>(std::size_t{1} << kChunkBits).release();
      chunks_[chunk].store(elements, std::memory_order_release);
    }
    elements[size_ & kChunkMask] = value;
    ++size_;
  }
  const T& operator[](std::size_t i) const {
    return chunks_[i >> kChunkBits].load(std::memory_order_acquire)[i & kChunkMask];
  }
  std::size_t bytes() const { return BlockOf(size_) * (sizeof(T) << kChunkBits) + sizeof(chunks_); }

 private:
  static constexpr std::size_t kChunkBits = 16;
  static constexpr std::size_t kChunkMask = (std::size_t{1} << kChunkBits) - 1;
  static std::size_t BlockOf(std::size_t size) { return (size + kChunkMask) >> kChunkBits; }

  std::array<std::atomic<T*>, std::size_t{1} << (32 - kChunkBits)> chunks_{};
  std::size_t size_ = 0;
};

class VertexDictionary {
 public:
  explicit VertexDictionary(KeyKind kind) : kind_(kind) {}

  // Holds the dictionary's lock while a batch is interned.
  class Writer {
   public:
    explicit Writer(VertexDictionary& dictionary)
        : dictionary_(dictionary), lock_(dictionary.mutex_) {}
    VertexId Intern(std::string_view key) { return dictionary_.InternText(key); }
    VertexId Intern(std::int64_t key) { return dictionary_.InternInteger(key); }

   private:
    VertexDictionary& dictionary_;
    std::lock_guard<std::mutex> lock_;
  };

  KeyKind kind() const { return kind_; }

  // Nothing when no edge named `key`, or when it is of the other kind.
  std::optional<VertexId> Find(const VertexKey& key) const;

  VertexKey KeyOf(VertexId id) const;
  std::string_view TextOf(VertexId id) const { return texts_[id]; }    // string keys only
  std::int64_t IntegerOf(VertexId id) const { return integers_[id]; }  // integer keys only

  // The order of keys in results: UTF-8 bytes, or numerically.
  bool KeyLess(VertexId a, VertexId b) const {
    return kind_ == KeyKind::kString ? texts_[a] < texts_[b] : integers_[a] < integers_[b];
  }

  std::size_t size() const { return size_.load(std::memory_order_acquire); }
  std::size_t bytes() const;

 private:
  struct Slot {
    std::uint32_t tag = 0;  // upper half of the key's hash
    VertexId id = kNoVertex;
  };

  VertexId InternText(std::string_view key);
  VertexId InternInteger(std::int64_t key);
  template <typename Equal>
  std::size_t Probe(std::uint64_t hash, const Equal& equal) const;
  VertexId Insert(std::size_t slot, std::uint64_t hash);
  void Grow();
  std::string_view StoreText(std::string_view key);
  std::uint64_t HashOf(VertexId id) const;

  const KeyKind kind_;
  mutable std::mutex mutex_;
  std::vector<Slot> slots_ SASH_GUARDED_BY(mutex_);  // a power of two, at most 70 % full
  std::vector<std::unique_ptr<char[]>> blocks_ SASH_GUARDED_BY(mutex_);
  std::size_t block_left_ SASH_GUARDED_BY(mutex_) = 0;
  std::size_t text_bytes_ SASH_GUARDED_BY(mutex_) = 0;
  char* block_end_ SASH_GUARDED_BY(mutex_) = nullptr;
  std::atomic<std::size_t> size_ = 0;
  StableVector<std::string_view> texts_;
  StableVector<std::int64_t> integers_;
};

}  // namespace sash
