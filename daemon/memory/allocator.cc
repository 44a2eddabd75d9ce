#include "daemon/memory/allocator.h"

#include <fmt/format.h>
#include <malloc.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "daemon/memory/jemalloc.h"
#include "windows/base/sanitizers.h"

// Initial settings of jemalloc; MALLOC_CONF overrides them.
// - Few threads allocate much, so more than one arena brings nothing, and each holds memory back:
//   10 MiB with two threads in an advance. Nor does a separate arena for large requests.
// - Thread caches for more than 4 KiB make the resident size of a window that does not grow go up
//   and down; no benchmark is slower without them.
// - An advance reads the lists of a whole window in random order, so huge pages save it a quarter
//   of its time. They are expensive to get again, so memory is not given back gradually:
//   MemoryTending decides when, and which processes use them. Idle memory may be split for any
//   request (the last setting); otherwise small requests take fresh pages while large ones idle.
extern "C" const char* malloc_conf;
const char* malloc_conf =
    "narenas:1,oversize_threshold:0,lg_tcache_max:12,thp:always,dirty_decay_ms:-1,"
    "lg_extent_max_active_fit:20";

namespace sash {
namespace {

constexpr std::size_t kBlock = 2 << 20;  // a huge page

// Figures are those of the last epoch that was begun.
bool BeginEpoch() {
  if (mallctl == nullptr) return false;
  std::uint64_t epoch = 1;
  std::size_t size = sizeof(epoch);
  return mallctl("epoch", &epoch, &size, &epoch, size) == 0;
}

std::optional<std::uint64_t> Figure(const char* name) {
  if (!BeginEpoch()) return std::nullopt;
  std::size_t figure = 0;
  std::size_t size = sizeof(figure);
  if (mallctl(name, &figure, &size, nullptr, 0) != 0) return std::nullopt;
  return figure;
}

constexpr unsigned kNoArena = ~0u;
std::atomic<unsigned> arena_left_out = kNoArena;

// The figures `names` of the arena that is left out, summed.
std::uint64_t LeftOut(std::initializer_list<const char*> names) {
  const unsigned arena = arena_left_out;
  std::uint64_t sum = 0;
  if (arena == kNoArena) return sum;
  for (const char* name : names) {
    sum += Figure(fmt::format("stats.arenas.{}.{}", arena, name).c_str()).value_or(0);
  }
  return sum;
}

// `left_out` may be read later than `figure`, and so be larger.
std::uint64_t Without(std::uint64_t left_out, std::uint64_t figure) {
  return figure - std::min(figure, left_out);
}

std::uint64_t PageSize() { return static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)); }

// How often this thread has asked the kernel for a page.
long Faults() {
  struct rusage use = {};
  getrusage(RUSAGE_THREAD, &use);
  return use.ru_minflt;
}

}  // namespace

std::string JemallocVersion() {
  const char* version = nullptr;
  std::size_t size = sizeof(version);
  if (mallctl == nullptr || mallctl("version", &version, &size, nullptr, 0) != 0) return {};
  const std::string_view whole(version);
  return std::string(whole.substr(0, whole.find('-')));  // drops the commit that follows
}

void LeaveOutArena(unsigned arena) { arena_left_out = arena; }

std::optional<std::uint64_t> AllocatedMemory() {
  if (kSanitized) return std::nullopt;
  if (mallctl == nullptr) {
    const struct mallinfo2 use = mallinfo2();
    return use.uordblks + use.hblkhd;
  }
  const std::optional<std::uint64_t> allocated = Figure("stats.allocated");
  if (!allocated) return std::nullopt;
  return Without(LeftOut({"small.allocated", "large.allocated"}), *allocated);
}

std::optional<std::uint64_t> IdleMemory() {
  // MALLCTL_ARENAS_ALL
  const std::optional<std::uint64_t> pages = Figure("stats.arenas.4096.pdirty");
  if (!pages) return std::nullopt;
  return Without(LeftOut({"pdirty"}), *pages) * PageSize();
}

std::optional<std::uint64_t> RoomyIdleMemory() {
  if (!BeginEpoch()) return std::nullopt;
  // The first arena, which is the only one.
  std::size_t place[6];
  std::size_t length = std::size(place);
  if (mallctlnametomib("stats.arenas.0.extents.0.dirty_bytes", place, &length) != 0) {
    return std::nullopt;
  }
  // Extents are counted by size class: 4 KiB, 8, 12, 16, and from there four classes per doubling.
  constexpr std::size_t kOf2MiB = 31;
  std::uint64_t bytes = 0;
  for (place[4] = kOf2MiB;; ++place[4]) {
    std::size_t figure = 0;
    std::size_t size = sizeof(figure);
    // An error means that there is no larger class.
    if (mallctlbymib(place, length, &figure, &size, nullptr, 0) != 0) return bytes;
    bytes += figure;
  }
}

std::uint64_t RetainedMemory() {
  return Without(LeftOut({"retained"}), Figure("stats.retained").value_or(0));
}

void ReleaseIdleMemory() {
  if (kSanitized) return;
  if (mallctl == nullptr) {
    malloc_trim(0);
  } else {
    (void)mallctl("arena.4096.purge", nullptr, nullptr, nullptr, 0);
  }
}

void AllowHugePages(bool allowed) {
  if (mallctl == nullptr) return;
  // If the kernel has no huge pages, nothing is lost.
  (void)prctl(PR_SET_THP_DISABLE, allowed ? 0 : 1, 0, 0, 0);
}

void WarmMemory(std::uint64_t bytes, std::uint64_t fresh_bytes) {
  if (mallctl == nullptr) return;
  struct Freed {
    void operator()(void* block) const { std::free(block); }
  };
  // All blocks are held until the end, so that none is handed out twice. Idle memory is handed out
  // first.
  std::vector<std::unique_ptr<void, Freed>> blocks;
  std::uint64_t fresh = 0;
  for (std::uint64_t warm = 0; warm < bytes && fresh < fresh_bytes; warm += kBlock) {
    blocks.emplace_back(std::malloc(kBlock));
    if (blocks.back() == nullptr) return;
    const long before = Faults();
    auto* const bytes_of_block = static_cast<volatile char*>(blocks.back().get());
    for (std::size_t i = 0; i < kBlock; i += PageSize()) bytes_of_block[i] = 0;
    if (Faults() > before) fresh += kBlock;
  }
}

}  // namespace sash
