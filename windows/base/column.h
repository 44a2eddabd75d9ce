// Column: an uninitialised array of fixed size, on the heap or in another memory resource, for
// example in a file.
//
// Thread safety: like a C array. Any thread may destroy it, so `memory` must allow deallocation in
// any thread.
#pragma once

#include <cstddef>
#include <memory>
#include <memory_resource>
#include <new>
#include <type_traits>

namespace sash {

struct GiveColumnBack {
  std::pmr::memory_resource* memory = nullptr;  // null: the heap
  std::size_t bytes = 0;
  void operator()(void* column) const {
    if (memory == nullptr) {
      ::operator delete(column);
    } else {
      memory->deallocate(column, bytes);
    }
  }
};

template <typename T>
using Column = std::unique_ptr<T[], GiveColumnBack>;

// `memory` outlives the column; null: the heap.
template <typename T>
Column<T> MakeColumn(std::size_t size, std::pmr::memory_resource* memory = nullptr) {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);
  const GiveColumnBack give_back{memory, size * sizeof(T)};
  void* const column =
      memory == nullptr ? ::operator new(give_back.bytes) : memory->allocate(give_back.bytes);
  return Column<T>(static_cast<T*>(column), give_back);
}

}  // namespace sash
