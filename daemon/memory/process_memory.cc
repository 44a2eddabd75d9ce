#include "daemon/memory/process_memory.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "daemon/memory/allocator.h"

namespace sash {
namespace {

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

}  // namespace

std::uint64_t UsedMemory() {
  const Pages pages = ReadPages();
  return pages.resident - std::min(pages.resident, pages.shared);
}

std::uint64_t MappedMemory(MemoryCount count) {
  const std::uint64_t kept = RetainedMemory();
  const Pages pages = ReadPages();
  const std::uint64_t mapped = count == MemoryCount::kData ? pages.data : pages.total;
  return mapped - std::min(mapped, kept);
}

}  // namespace sash
