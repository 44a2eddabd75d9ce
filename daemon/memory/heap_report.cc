#include "daemon/memory/heap_report.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <system_error>

#include "daemon/memory/jemalloc.h"

namespace sash {
namespace {

Error Unavailable(std::string why) { return {ErrorCode::kUnavailable, std::move(why)}; }

Error NoJemalloc() { return Unavailable("this program is built without jemalloc"); }

bool IsOn(const char* name) {
  bool on = false;
  std::size_t size = sizeof(on);
  return mallctl(name, &on, &size, nullptr, 0) == 0 && on;
}

// A file without a name in memory: jemalloc writes only to files, and the disk may be full.
class MemoryFile {
 public:
  MemoryFile() : descriptor_(::memfd_create("heap-profile", MFD_CLOEXEC)) {}
  ~MemoryFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  bool open() const { return descriptor_ >= 0; }
  std::string Path() const { return fmt::format("/proc/self/fd/{}", descriptor_); }
  std::string Read() const {
    std::string text;
    std::array<char, 65536> block{};
    for (;;) {
      const ssize_t got =
          ::pread(descriptor_, block.data(), block.size(), static_cast<off_t>(text.size()));
      if (got <= 0) return text;
      text.append(block.data(), static_cast<std::size_t>(got));
    }
  }

 private:
  const int descriptor_;
};

}  // namespace

Result<std::string> HeapProfile() {
  if (mallctl == nullptr) return NoJemalloc();
  if (!IsOn("config.prof")) return Unavailable("this jemalloc is built without --enable-prof");
  if (!IsOn("opt.prof")) {
    return Unavailable(
        "profiling is off: start sashd with MALLOC_CONF=prof:true in its environment, "
        "which samples one allocation per 512 KiB or so");
  }
  const MemoryFile file;
  if (!file.open()) {
    return Unavailable("memory for the profile: " + std::system_category().message(errno));
  }
  const std::string path = file.Path();
  const char* name = path.c_str();
  const int failure = mallctl("prof.dump", nullptr, nullptr, &name, sizeof(name));
  if (failure != 0) {
    return Unavailable("jemalloc writes no profile: " + std::system_category().message(failure));
  }
  return file.Read();
}

Result<std::string> AllocatorReport() {
  if (malloc_stats_print == nullptr) return NoJemalloc();
  std::string text;
  malloc_stats_print(
      [](void* to, const char* part) { static_cast<std::string*>(to)->append(part); }, &text,
      "a");  // without the details of each arena
  return text;
}

}  // namespace sash
