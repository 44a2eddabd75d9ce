#include "daemon/memory/edge_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <new>
#include <system_error>

#include "daemon/log/log_events.h"
#include "daemon/memory/allocator.h"
#include "daemon/memory/jemalloc.h"
#include "windows/base/mutex.h"

namespace sash {
namespace {

// The size of the address range, and the most disk space used. The file has this length, at first
// without blocks.
constexpr std::size_t kMostBytes = std::size_t{1} << 40;
// The disk space reserved at a time: each reservation is a call to the file system.
constexpr std::size_t kStep = std::size_t{16} << 20;

std::string Reason(const char* what, int error) {
  return fmt::format("{}: {}", what, std::strerror(error));
}

// jemalloc takes ranges of addresses and splits them; it keeps the ranges that are freed.
class Stretches {
 public:
  Stretches(int file, std::byte* begin) : file_(file), begin_(begin) {}

  void* Take(std::size_t size, std::size_t alignment) {
    const MutexLock lock(mutex_);
    const std::size_t first = (used_ + alignment - 1) / alignment * alignment;
    if (size > kMostBytes || first > kMostBytes - size) return nullptr;
    const std::size_t end = first + size;
    if (end > reserved_) {
      const std::size_t wanted = std::min(kMostBytes, (end + kStep - 1) / kStep * kStep);
      const int error = posix_fallocate(file_, static_cast<off_t>(reserved_),
                                        static_cast<off_t>(wanted - reserved_));
      if (error != 0) return nullptr;
      reserved_ = wanted;
    }
    used_ = end;
    return begin_ + first;
  }
  std::uint64_t reserved() const {
    const MutexLock lock(mutex_);
    return reserved_;
  }

 private:
  const int file_;
  std::byte* const begin_;
  mutable Mutex mutex_;
  std::size_t used_ SASH_GUARDED_BY(mutex_) = 0;
  std::size_t reserved_ SASH_GUARDED_BY(mutex_) = 0;
};

// jemalloc knows the hooks by their address alone, so they are the first member of their object.
struct HookedStretches {
  ExtentHooks hooks{};
  Stretches stretches;
};

void* TakeStretch(ExtentHooks* hooks, void* wanted, std::size_t size, std::size_t alignment,
                  bool* zeroed, bool* committed, unsigned) {
  if (wanted != nullptr) return nullptr;
  void* const stretch = reinterpret_cast<HookedStretches*>(hooks)->stretches.Take(size, alignment);
  if (stretch != nullptr) *zeroed = *committed = true;
  return stretch;
}
bool KeepStretch(ExtentHooks*, void*, std::size_t, bool, unsigned) { return true; }
bool Split(ExtentHooks*, void*, std::size_t, std::size_t, std::size_t, bool, unsigned) {
  return false;
}
bool Merge(ExtentHooks*, void*, std::size_t, void*, std::size_t, bool, unsigned) { return false; }

class EdgeFile final : public std::pmr::memory_resource {
 public:
  EdgeFile(HookedStretches& memory, unsigned arena, EventLog& log)
      : memory_(memory), arena_(arena), log_(log) {}

 private:
  // Thread caches would mix this memory with the heap.
  int flags() const { return JemallocArena(arena_) | kJemallocWithoutCache; }

  void* do_allocate(std::size_t bytes, std::size_t) override {
    if (bytes == 0) bytes = 1;
    if (void* const place = mallocx(bytes, flags())) return place;
    if (!is_full_.exchange(true)) {
      log_.Log(
          process_events::kSpillFull,
          fmt::format("memory.spill: the disk is full at {} MiB, so new data of windows stays in "
                      "memory; free space and restart",
                      memory_.stretches.reserved() >> 20));
    }
    return ::operator new(bytes);
  }
  // jemalloc finds the arena by the address.
  void do_deallocate(void* place, std::size_t, std::size_t) override {
    dallocx(place, kJemallocWithoutCache);
  }
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }

  HookedStretches& memory_;
  const unsigned arena_;
  EventLog& log_;
  std::atomic<bool> is_full_ = false;
};

bool SetDecay(unsigned arena, const char* which) {
  std::ptrdiff_t never = -1;
  return mallctl(fmt::format("arena.{}.{}_decay_ms", arena, which).c_str(), nullptr, nullptr,
                 &never, sizeof(never)) == 0;
}

}  // namespace

Result<std::pmr::memory_resource*> MakeEdgeFile(const std::string& folder, EventLog& log) {
  if (mallctl == nullptr || mallocx == nullptr)
    return Error{ErrorCode::kUnavailable, "this program has no jemalloc"};
  std::error_code is_there;
  std::filesystem::create_directory(folder, is_there);
  const int file = open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (file < 0) return Error{ErrorCode::kUnavailable, Reason("no file can be made in it", errno)};
  if (ftruncate(file, static_cast<off_t>(kMostBytes)) != 0) {
    const int error = errno;
    close(file);
    return Error{ErrorCode::kUnavailable, Reason("its file system has no files of 1 TiB", error)};
  }
  void* const begin =
      mmap(nullptr, kMostBytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file, 0);
  if (begin == MAP_FAILED) {
    const int error = errno;
    close(file);
    return Error{ErrorCode::kUnavailable, Reason("its file cannot be mapped", error)};
  }
  auto* const memory = new HookedStretches{
      .hooks = {.alloc = TakeStretch, .dalloc = KeepStretch, .split = Split, .merge = Merge},
      .stretches = {file, static_cast<std::byte*>(begin)}};
  ExtentHooks* hooks = &memory->hooks;
  unsigned arena = 0;
  std::size_t size = sizeof(arena);
  if (mallctl("arenas.create", &arena, &size, &hooks, sizeof(hooks)) != 0 ||
      !SetDecay(arena, "dirty") || !SetDecay(arena, "muzzy")) {
    return Error{ErrorCode::kUnavailable, "the allocator takes no memory from files"};
  }
  LeaveOutArena(arena);
  return new EdgeFile(*memory, arena, log);
}

}  // namespace sash
