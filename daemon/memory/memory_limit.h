// MemoryLimit: how much memory the process may use, from its configuration and its environment.
//
// A limit above which the environment kills the process or refuses memory (a control group,
// RLIMIT_AS, RLIMIT_DATA) is a ceiling. Without a limit in the configuration, the limit is 80 % of
// the ceiling: the kernel also counts memory that we do not (files just written, sockets, stacks),
// and the temporary memory of a run or a frozen slice must fit as well.
//
// Thread safety: free functions; some read /proc and /sys.
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

// The least limit of the process's control group and the groups around it: memory.max and
// memory.high of version 2, memory.limit_in_bytes of version 1. Files that cannot be read are
// ignored. `root` contains /proc and /sys.
std::optional<MemoryCeiling> FindCgroupCeiling(const std::filesystem::path& root = "/");

// RLIMIT_AS and RLIMIT_DATA, if they are set. They count mapped memory, used or not.
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
  std::string warning;  // why the configured limit was replaced; empty: it was not
};

// Empty when there is no limit.
std::optional<MemoryLimit> ChooseMemoryLimit(const MemoryConfig& config,
                                             const std::optional<MemoryCeiling>& ceiling);

// Memory besides the process's own pages.
struct FurtherBytes {
  std::uint64_t reserved = 0;  // will be needed for a moment
  std::uint64_t shared = 0;    // files in shared memory, which are not mapped
};

// The use to compare with `limit`, in bytes: the greatest of the resident memory plus both of
// `further` and, for each of `resources`, the share of 80 % of its ceiling that mapped plus
// reserved memory takes, as the same share of `limit`. Costs tens of microseconds.
std::uint64_t UseToCompare(const MemoryLimit& limit, const std::vector<MappedCeiling>& resources,
                           const FurtherBytes& further);

// "61.3 MiB"
std::string SizeText(std::uint64_t bytes);

}  // namespace sash
