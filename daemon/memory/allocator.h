// Figures of the process's allocator, and requests to it: jemalloc in sashd; glibc in tests, which
// reports less.
//
// Thread safety: every function may be called from any thread. Each costs tens of microseconds
// unless its comment says more.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace sash {

// The version of the loaded jemalloc; empty without jemalloc.
std::string JemallocVersion();

// From now on no figure below counts this arena of jemalloc: its memory is in a file.
void LeaveOutArena(unsigned arena);

// Bytes that are handed out, from jemalloc or else from glibc; empty under sanitizers, whose
// allocators do not report it.
std::optional<std::uint64_t> AllocatedMemory();

// Bytes that are free and still resident, so that they can be handed out again without the kernel.
// Empty without jemalloc.
std::optional<std::uint64_t> IdleMemory();

// The part of IdleMemory() in ranges of 2 MiB or more, where a request of any size fits.
std::optional<std::uint64_t> RoomyIdleMemory();

// Bytes that are mapped and not backed, so that they can be handed out again. 0 without jemalloc.
std::uint64_t RetainedMemory();

// Gives idle memory back to the kernel. Takes up to milliseconds.
void ReleaseIdleMemory();

// Whether the kernel may use huge pages for memory touched from now on, where the allocator asks
// for them. The default is yes. Does nothing without jemalloc.
void AllowHugePages(bool allowed);

// Ensures at least `bytes` of roomy idle memory, but takes at most `fresh_bytes` from the kernel in
// this call: 0.1 ms for 2 MiB, 5 ms on a virtual machine whose host has to find the pages too. Does
// nothing without jemalloc, and stops when the kernel gives no more.
void WarmMemory(std::uint64_t bytes, std::uint64_t fresh_bytes);

}  // namespace sash
