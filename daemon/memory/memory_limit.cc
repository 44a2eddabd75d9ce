#include "daemon/memory/memory_limit.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <string_view>
#include <utility>
#include <vector>

namespace sash {
namespace {

// Version 1 writes "unlimited" as the greatest number of pages; no real limit is an exbibyte.
constexpr std::uint64_t kUnlimited = std::uint64_t{1} << 60;
constexpr std::uint64_t kShareOfCeiling = 80;  // percent

void Keep(std::optional<MemoryCeiling>& least, std::uint64_t bytes, std::string set_by) {
  if (bytes == 0 || bytes >= kUnlimited) return;
  if (!least || bytes < least->bytes) least = MemoryCeiling{bytes, std::move(set_by)};
}

std::uint64_t ShareOf(const MemoryCeiling& ceiling) {
  return ceiling.bytes / 100 * kShareOfCeiling;
}

// "max" and any other text that is not a number mean no limit.
void KeepFile(std::optional<MemoryCeiling>& least, const std::filesystem::path& file) {
  std::string text;
  if (std::ifstream stream(file); !(stream >> text)) return;
  std::uint64_t bytes = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), bytes);
  if (failed != std::errc() || end != text.data() + text.size()) return;
  Keep(least, bytes, file.string());
}

// Checks every group from `path` up to the mount. In a container the path may be a path of the
// host, of which only the end, or nothing, is mounted: then the mount itself is our group.
void KeepGroups(std::optional<MemoryCeiling>& least, const std::filesystem::path& mount,
                const std::string& path, const std::vector<std::string_view>& files) {
  std::filesystem::path group = std::filesystem::path(path).lexically_normal().relative_path();
  for (;; group = group.parent_path()) {
    for (const std::string_view file : files) KeepFile(least, mount / group / file);
    if (group.empty()) return;
  }
}

bool HasController(std::string_view controllers, std::string_view wanted) {
  while (!controllers.empty()) {
    const std::size_t comma = std::min(controllers.find(','), controllers.size());
    if (controllers.substr(0, comma) == wanted) return true;
    controllers.remove_prefix(std::min(comma + 1, controllers.size()));
  }
  return false;
}

}  // namespace

std::optional<MemoryCeiling> FindCgroupCeiling(const std::filesystem::path& root) {
  std::optional<MemoryCeiling> least;
  std::ifstream groups(root / "proc/self/cgroup");
  // id:controllers:path; version 2 has no controllers.
  for (std::string line; std::getline(groups, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string_view controllers =
        std::string_view(line).substr(first + 1, second - first - 1);
    const std::string path = line.substr(second + 1);
    if (controllers.empty()) {
      KeepGroups(least, root / "sys/fs/cgroup", path, {"memory.max", "memory.high"});
    } else if (HasController(controllers, "memory")) {
      KeepGroups(least, root / "sys/fs/cgroup/memory", path, {"memory.limit_in_bytes"});
    }
  }
  return least;
}

std::vector<MappedCeiling> FindResourceCeilings() {
  std::vector<MappedCeiling> found;
  const auto add = [&](auto resource, const char* name, MemoryCount counts) {
    rlimit limit{};
    std::optional<MemoryCeiling> ceiling;
    if (getrlimit(resource, &limit) == 0) Keep(ceiling, limit.rlim_cur, name);
    if (ceiling) found.push_back({*ceiling, counts});
  };
  add(RLIMIT_AS, "RLIMIT_AS", MemoryCount::kAddressSpace);
  add(RLIMIT_DATA, "RLIMIT_DATA", MemoryCount::kData);
  return found;
}

std::optional<MemoryCeiling> LeastCeiling(std::optional<MemoryCeiling> cgroup,
                                          const std::vector<MappedCeiling>& resources) {
  for (const MappedCeiling& resource : resources) {
    Keep(cgroup, resource.ceiling.bytes, resource.ceiling.set_by);
  }
  return cgroup;
}

std::optional<MemoryLimit> ChooseMemoryLimit(const MemoryConfig& config,
                                             const std::optional<MemoryCeiling>& ceiling) {
  if (config.kind == MemoryConfig::Kind::kNone) return std::nullopt;
  std::optional<MemoryLimit> automatic;
  if (ceiling) {
    automatic = MemoryLimit{.bytes = std::max(ShareOf(*ceiling), MemoryConfig::kLeastLimit),
                            .origin = fmt::format("{} % of {}", kShareOfCeiling, ceiling->set_by),
                            .warning = {}};
  }
  if (config.kind == MemoryConfig::Kind::kAutomatic) return automatic;
  if (ceiling && config.limit_bytes > ceiling->bytes) {
    automatic->warning = fmt::format(
        "memory.limit is {}, but {} ends the process beyond {}: the limit is {} instead",
        SizeText(config.limit_bytes), ceiling->set_by, SizeText(ceiling->bytes),
        SizeText(automatic->bytes));
    return automatic;
  }
  return MemoryLimit{.bytes = config.limit_bytes, .origin = "memory.limit", .warning = {}};
}

std::uint64_t UseToCompare(const MemoryLimit& limit, const std::vector<MappedCeiling>& resources,
                           const FurtherBytes& further) {
  std::uint64_t held = UsedMemory() + further.reserved + further.shared;
  for (const MappedCeiling& resource : resources) {
    const double share = static_cast<double>(MappedMemory(resource.counts) + further.reserved) /
                         static_cast<double>(ShareOf(resource.ceiling));
    held = std::max(held, static_cast<std::uint64_t>(share * static_cast<double>(limit.bytes)));
  }
  return held;
}

std::string SizeText(std::uint64_t bytes) {
  constexpr double kMebibyte = 1 << 20;
  const double size = static_cast<double>(bytes) / kMebibyte;
  return size < 1024 ? fmt::format("{:.1f} MiB", size) : fmt::format("{:.2f} GiB", size / 1024);
}

}  // namespace sash
