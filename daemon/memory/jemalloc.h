// The functions of jemalloc that the room calls, weak: sashd is linked with it, most tests are not,
// and then they are null.
//
// Thread safety: every function may be called from any thread.
#pragma once

#include <cstddef>

extern "C" {
__attribute__((weak)) int mallctl(const char* name, void* old_value, std::size_t* old_size,
                                  void* new_value, std::size_t new_size);
__attribute__((weak)) int mallctlnametomib(const char* name, std::size_t* mib, std::size_t* length);
__attribute__((weak)) int mallctlbymib(const std::size_t* mib, std::size_t length, void* old_value,
                                       std::size_t* old_size, void* new_value,
                                       std::size_t new_size);
__attribute__((weak)) void malloc_stats_print(void (*write)(void*, const char*), void* opaque,
                                              const char* options);
}
