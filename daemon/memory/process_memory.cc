#include "daemon/memory/process_memory.h"

#include <malloc.h>
#include <unistd.h>

#include <algorithm>
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

// Bytes; zeros when it cannot be read.
struct Pages {
  std::uint64_t total = 0;
  std::uint64_t resident = 0;
  std::uint64_t shared = 0;
  std::uint64_t data = 0;
};

Pages ReadPages() {
  std::ifstream file("/proc/self/statm");
  Pages read;
  std::uint64_t text = 0;
  std::uint64_t libraries = 0;
  if (!(file >> read.total >> read.resident >> read.shared >> text >> libraries >> read.data)) {
    return {};
  }
  const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  for (std::uint64_t* const count : {&read.total, &read.resident, &read.shared, &read.data}) {
    *count *= page;
  }
  return read;
}

// A figure of jemalloc's newest epoch.
std::optional<std::uint64_t> AllocatorFigure(const char* name) {
  if (mallctl == nullptr) return std::nullopt;
  std::uint64_t epoch = 1;
  std::size_t size = sizeof(epoch);
  if (mallctl("epoch", &epoch, &size, &epoch, size) != 0) return std::nullopt;
  std::size_t figure = 0;
  size = sizeof(figure);
  if (mallctl(name, &figure, &size, nullptr, 0) != 0) return std::nullopt;
  return figure;
}

}  // namespace

std::uint64_t UsedMemory() {
  const Pages pages = ReadPages();
  return pages.resident - std::min(pages.resident, pages.shared);
}

std::uint64_t MappedMemory(MemoryCount count) {
  const std::uint64_t kept = AllocatorFigure("stats.retained").value_or(0);
  const Pages pages = ReadPages();
  const std::uint64_t mapped = count == MemoryCount::kData ? pages.data : pages.total;
  return mapped - std::min(mapped, kept);
}

std::optional<std::uint64_t> AllocatedMemory() {
  if (kSanitized) return std::nullopt;
  if (mallctl == nullptr) {
    const struct mallinfo2 use = mallinfo2();
    return use.uordblks + use.hblkhd;
  }
  return AllocatorFigure("stats.allocated");
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
