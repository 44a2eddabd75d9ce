// The memory that the process holds, as the kernel counts it.
//
// Thread safety: every function may be called from any thread.
#pragma once

#include <cstdint>

namespace sash {

// The kinds of memory to count.
enum class MemoryCount : std::uint8_t {
  kResident,      // the process's own pages
  kData,          // mapped and writable, including stacks: RLIMIT_DATA
  kAddressSpace,  // all mapped memory: RLIMIT_AS
};

// Mapped memory, without the memory that the allocator keeps mapped to hand it out again. 0 when it
// cannot be read. Costs tens of microseconds.
std::uint64_t MappedMemory(MemoryCount count);

// Resident memory that is the process's own: neither of files nor shared. A control group counts
// this memory and the kernel kills for it, so it is compared with the limit. It includes what the
// allocator keeps free, libraries, stacks, and memory in no account. 0 when it cannot be read.
// Costs microseconds.
std::uint64_t UsedMemory();

}  // namespace sash
