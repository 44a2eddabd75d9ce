#include "daemon/memory/process_memory.h"

#include <malloc.h>
#include <unistd.h>

#include <cstddef>
#include <fstream>

// Of jemalloc, which sashd is linked with and tests are not.
extern "C" __attribute__((weak)) int mallctl(const char* name, void* old_value,
                                             std::size_t* old_size, void* new_value,
                                             std::size_t new_size);

// What jemalloc begins with; MALLOC_CONF overrides it. Few threads allocate much, so more than one
// arena buys nothing, and costs what each holds back: 10 MiB with two threads in an advance. Nor do
// caches of a thread's own for more than 4 KiB, or freed memory that is kept for ten seconds: with
// them the resident size of a window that does not grow goes up and down by a tenth. No rate of the
// benchmarks is lower for it.
extern "C" const char* malloc_conf;
const char* malloc_conf = "narenas:1,lg_tcache_max:12,dirty_decay_ms:2500";

namespace sash {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

}  // namespace

std::uint64_t UsedMemory() {
  std::ifstream file("/proc/self/statm");
  std::uint64_t total = 0;
  std::uint64_t resident = 0;
  std::uint64_t shared = 0;
  if (!(file >> total >> resident >> shared) || shared > resident) return 0;
  return (resident - shared) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

std::optional<std::uint64_t> AllocatedMemory() {
  if (kSanitized) return std::nullopt;
  if (mallctl == nullptr) {
    const struct mallinfo2 use = mallinfo2();
    return use.uordblks + use.hblkhd;
  }
  // The figures are those of the newest epoch.
  std::uint64_t epoch = 1;
  std::size_t size = sizeof(epoch);
  if (mallctl("epoch", &epoch, &size, &epoch, size) != 0) return std::nullopt;
  std::size_t allocated = 0;
  size = sizeof(allocated);
  if (mallctl("stats.allocated", &allocated, &size, nullptr, 0) != 0) return std::nullopt;
  return allocated;
}

void ReleaseFreeMemory() {
  if (kSanitized) return;
  if (mallctl == nullptr) {
    malloc_trim(0);
  } else {
    // MALLCTL_ARENAS_ALL
    (void)mallctl("arena.4096.purge", nullptr, nullptr, nullptr, 0);
  }
}

}  // namespace sash
