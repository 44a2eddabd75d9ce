// MemoryLimit: how much memory the process may use, from its configuration and its surroundings.
//
// Surroundings that kill or refuse above a limit (a control group, RLIMIT_AS, RLIMIT_DATA) are a
// ceiling. Without a limit in the configuration 80 % of the ceiling are taken: the kernel counts
// there what is not ours to count (files just written, sockets, stacks), and what a run or a frozen
// slice takes for a moment must fit as well.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "daemon/config/config.h"
#include "daemon/memory/process_memory.h"

namespace sash {

struct MemoryCeiling {
  std::uint64_t bytes = 0;
  std::string set_by;  // the file or resource limit
};

// The least limit of the process's control group and those around it: memory.max and memory.high of
// version 2, memory.limit_in_bytes of version 1. What cannot be read does not count. `root` is
// where /proc and /sys are.
std::optional<MemoryCeiling> FindCgroupCeiling(const std::filesystem::path& root = "/");

// RLIMIT_AS and RLIMIT_DATA, as far as there are any. They count what is mapped, be it used or not.
struct MappedCeiling {
  MemoryCeiling ceiling;
  MemoryCount counts = MemoryCount::kData;
};
std::vector<MappedCeiling> FindResourceCeilings();

// The least of `cgroup` and `resources`.
std::optional<MemoryCeiling> LeastCeiling(std::optional<MemoryCeiling> cgroup,
                                          const std::vector<MappedCeiling>& resources);

struct MemoryLimit {
  std::uint64_t bytes = 0;
  std::string origin;   // "memory.limit", or "80 % of ..."
  std::string warning;  // what is odd about the configuration here; empty when nothing is
};

// Nothing when there is no limit.
std::optional<MemoryLimit> ChooseMemoryLimit(const MemoryConfig& config,
                                             const std::optional<MemoryCeiling>& ceiling);

// What is held against `limit` when `reserved` bytes will be needed for a moment: resident memory;
// where it is more, the same share of the limit as what is mapped takes of 80 % of its own ceiling.
std::uint64_t HeldAgainst(const MemoryLimit& limit, const std::vector<MappedCeiling>& resources,
                          std::uint64_t reserved);

// "61.3 MiB"
std::string SizeText(std::uint64_t bytes);

}  // namespace sash
