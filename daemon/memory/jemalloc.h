// The functions of jemalloc that this folder calls, as weak symbols: sashd links jemalloc, most
// tests do not; there they are null.
//
// Thread safety: every function may be called from any thread.
#pragma once

#include <cstddef>

// extent_hooks_t: where an arena gets its memory.
struct ExtentHooks {
  void* (*alloc)(ExtentHooks*, void* wanted, std::size_t size, std::size_t alignment, bool* zeroed,
                 bool* committed, unsigned arena) = nullptr;
  bool (*dalloc)(ExtentHooks*, void*, std::size_t size, bool committed, unsigned arena) = nullptr;
  void (*destroy)(ExtentHooks*, void*, std::size_t size, bool committed, unsigned arena) = nullptr;
  bool (*commit)(ExtentHooks*, void*, std::size_t size, std::size_t, std::size_t,
                 unsigned arena) = nullptr;
  bool (*decommit)(ExtentHooks*, void*, std::size_t size, std::size_t, std::size_t,
                   unsigned arena) = nullptr;
  bool (*purge_lazy)(ExtentHooks*, void*, std::size_t size, std::size_t, std::size_t,
                     unsigned) = nullptr;
  bool (*purge_forced)(ExtentHooks*, void*, std::size_t size, std::size_t, std::size_t,
                       unsigned) = nullptr;
  bool (*split)(ExtentHooks*, void*, std::size_t size, std::size_t, std::size_t, bool,
                unsigned) = nullptr;
  bool (*merge)(ExtentHooks*, void*, std::size_t, void*, std::size_t, bool,
                unsigned arena) = nullptr;
};

// MALLOCX_ARENA, MALLOCX_TCACHE_NONE.
constexpr int JemallocArena(unsigned arena) { return static_cast<int>((arena + 1) << 20); }
inline constexpr int kJemallocWithoutCache = 1 << 8;

extern "C" {
__attribute__((weak)) void* mallocx(std::size_t size, int flags);
__attribute__((weak)) void dallocx(void* place, int flags);
__attribute__((weak)) int mallctl(const char* name, void* old_value, std::size_t* old_size,
                                  void* new_value, std::size_t new_size);
__attribute__((weak)) int mallctlnametomib(const char* name, std::size_t* mib, std::size_t* length);
__attribute__((weak)) int mallctlbymib(const std::size_t* mib, std::size_t length, void* old_value,
                                       std::size_t* old_size, void* new_value,
                                       std::size_t new_size);
__attribute__((weak)) void malloc_stats_print(void (*write)(void*, const char*), void* opaque,
                                              const char* options);
}
