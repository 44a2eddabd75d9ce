// What the process really holds, as the kernel and the allocator count it.
//
// Thread safety: every function may be called from any thread.
#pragma once

#include <cstdint>
#include <optional>

namespace sash {

// What is counted of memory.
enum class MemoryCount : std::uint8_t {
  kResident,      // pages of the process's own
  kData,          // what is mapped to be written, stacks included: RLIMIT_DATA
  kAddressSpace,  // whatever is mapped: RLIMIT_AS
};

// Of what is mapped, but for what the allocator keeps mapped to hand it out again. 0 when it cannot
// be read. Tens of microseconds.
std::uint64_t MappedMemory(MemoryCount count);

// Resident memory that is the process's own: neither of files nor shared. It is what a control
// group counts and the kernel kills for, so it is what a limit is held against: with what the
// allocator keeps free, what libraries and stacks take, and what no account knows of. 0 when it
// cannot be read. Costs microseconds.
std::uint64_t UsedMemory();

// What the allocator has handed out: jemalloc's figure, else that of glibc; nothing under
// sanitizers, whose allocators do not tell. Tens of microseconds.
std::optional<std::uint64_t> AllocatedMemory();

// Asks the allocator to give back what it keeps free. Up to milliseconds.
void ReleaseFreeMemory();

}  // namespace sash
