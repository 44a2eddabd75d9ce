// What the allocator holds for the process, and what it is asked to do with it: jemalloc in sashd;
// glibc in tests, which tells less.
//
// Thread safety: every function may be called from any thread. Each costs tens of microseconds,
// unless it says more.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace sash {

// Of jemalloc, as it was loaded; empty without it.
std::string JemallocVersion();

// From now on no figure below counts this arena of jemalloc: its memory is that of a file.
void LeaveOutArena(unsigned arena);

// Bytes that were handed out: jemalloc's figure, else that of glibc; nothing under sanitizers,
// whose allocators do not tell.
std::optional<std::uint64_t> AllocatedMemory();

// Bytes that are free and still resident, to be handed out again without the kernel. Nothing
// without jemalloc.
std::optional<std::uint64_t> IdleMemory();

// Of these, what lies in stretches of 2 MiB and more, where anything finds room.
std::optional<std::uint64_t> RoomyIdleMemory();

// Bytes that are mapped and not backed, to be handed out again. 0 without jemalloc.
std::uint64_t RetainedMemory();

// Gives idle memory back to the kernel. Up to milliseconds.
void ReleaseIdleMemory();

// Whether the kernel may back memory that is touched from now on by huge pages, where the allocator
// asks for them. A process that never calls this has them. Does nothing without jemalloc.
void AllowHugePages(bool allowed);

// Makes roomy idle memory of at least `bytes`, but has the kernel hand over at most
// `fresh_bytes` now: 0.1 ms for 2 MiB, 5 ms on a virtual machine whose host has to find them too.
// Does nothing without jemalloc, and stops where no more can be had.
void WarmMemory(std::uint64_t bytes, std::uint64_t fresh_bytes);

}  // namespace sash
