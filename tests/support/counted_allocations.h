// Counts what a program allocates. It replaces operator new, as sanitizers do: include it in one
// source file of a program that is not built with one.
//
// Thread safety: any thread may allocate and read the count.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <new>

namespace sash::testing {

inline std::atomic<std::uint64_t> allocations = 0;

}  // namespace sash::testing

// Inlined, they would seem to GCC not to belong together.
[[gnu::noinline]] void* operator new(std::size_t bytes) {
  sash::testing::allocations.fetch_add(1, std::memory_order_relaxed);
  if (void* const made = std::malloc(bytes == 0 ? 1 : bytes)) return made;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* made) noexcept { std::free(made); }
[[gnu::noinline]] void operator delete(void* made, std::size_t) noexcept { std::free(made); }
