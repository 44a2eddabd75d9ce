// A library to preload. Makes the wall clock of a process wrong by the amount in a file.
//
//   LD_PRELOAD=libwrong_clock.so  SASH_CLOCK_OFFSET=FILE  sashd ...
//
// The file has eight bytes: how many nanoseconds the clock is ahead, as a 64-bit integer in the
// machine's byte order. A write to the file sets the clock at once for all threads. Steady clocks
// and waits are not affected, like when an administrator sets the clock.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <ctime>

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

// Null: the clock is right.
const std::atomic<std::int64_t>* MapOffset() {
  const char* const path = std::getenv("SASH_CLOCK_OFFSET");
  if (path == nullptr) return nullptr;
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return nullptr;
  void* const bytes = mmap(nullptr, sizeof(std::int64_t), PROT_READ, MAP_SHARED, file, 0);
  close(file);
  return bytes == MAP_FAILED ? nullptr : static_cast<const std::atomic<std::int64_t>*>(bytes);
}

std::int64_t Offset() {
  static const std::atomic<std::int64_t>* const offset = MapOffset();
  return offset == nullptr ? 0 : offset->load(std::memory_order_relaxed);
}

int RightTime(clockid_t clock, timespec* time) {
  using Function = int (*)(clockid_t, timespec*);
  static const auto next = reinterpret_cast<Function>(dlsym(RTLD_NEXT, "clock_gettime"));
  return next(clock, time);
}

bool IsWallClock(clockid_t clock) {
  return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE;
}

timespec WrongTime() {
  timespec time{};
  static_cast<void>(RightTime(CLOCK_REALTIME, &time));
  const std::int64_t nanoseconds = time.tv_sec * kSecond + time.tv_nsec + Offset();
  return {.tv_sec = nanoseconds / kSecond, .tv_nsec = nanoseconds % kSecond};
}

}  // namespace

extern "C" {

int clock_gettime(clockid_t clock, timespec* time) noexcept {
  if (!IsWallClock(clock)) return RightTime(clock, time);
  *time = WrongTime();
  return 0;
}

int gettimeofday(timeval* time, void*) noexcept {
  const timespec now = WrongTime();
  *time = {.tv_sec = now.tv_sec, .tv_usec = now.tv_nsec / 1000};
  return 0;
}

time_t time(time_t* result) noexcept {
  const time_t now = WrongTime().tv_sec;
  if (result != nullptr) *result = now;
  return now;
}

}  // extern "C"
