// What the process really holds, as the kernel counts it.
//
// Thread safety: every function may be called from any thread.
#pragma once

#include <cstdint>

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

}  // namespace sash
