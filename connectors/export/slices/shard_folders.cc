#include "connectors/export/slices/shard_folders.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "connectors/export/export_file.h"
#include "connectors/export/own_folder.h"
#include "connectors/export/slices/slice_folder.h"
#include "connectors/export/stored_file.h"

namespace sash {
namespace {

constexpr std::string_view kShardPrefix = "shard-";
constexpr std::size_t kMostShardBytes = 64 << 20;

std::optional<StreamShard> ShardOfFolder(std::string_view name) {
  if (!name.starts_with(kShardPrefix)) return std::nullopt;
  return StreamShard::Parse(name.substr(kShardPrefix.size()));
}

// What is in the folder beside the shards of one number of shards: its name. Nothing: all belongs
// to them.
std::optional<std::string> FindForeign(int folder, std::int32_t of) {
  for (const std::string& name : EntriesOf(folder, 0)) {
    const std::optional<StreamShard> other = ShardOfFolder(name);
    if ((other && other->of != of) || SliceNumberIn(name, ".json")) return name;
  }
  return std::nullopt;
}

// Why this shard cannot use the folder.
std::optional<std::string> WhyNotSplit(int folder, const StreamShard& shard) {
  const std::optional<std::string> name = FindForeign(folder, shard.of);
  if (!name) return std::nullopt;
  if (const std::optional<StreamShard> other = ShardOfFolder(*name)) {
    return fmt::format("it has slices of {} shards ({}), and source.kafka.partitions says `of: {}`",
                       other->of, *name, shard.of);
  }
  return fmt::format("it has slices of one sashd ({}), and this is shard {}", *name,
                     shard.ToString());
}

}  // namespace

std::string ShardPath(const std::string& path, const StreamShard& shard) {
  return fmt::format("{}/{}{}", path, kShardPrefix, shard.ToString());
}

Status PrepareShardFolder(const std::string& path, const StreamShard& shard) {
  const Result<bool> made = MakeFolder(AT_FDCWD, path);
  if (!made) return made.error();
  const OwnedDescriptor folder = OpenFolderAt(AT_FDCWD, path);
  if (!folder.is_open()) return SystemFailure("open " + path);
  // First its own folder: two shards that begin at once see each other.
  const std::string name = std::string(kShardPrefix) + shard.ToString();
  const Result<bool> own = MakeFolder(folder.number(), name);
  if (!own) return own.error();
  const std::optional<std::string> why = WhyNotSplit(folder.number(), shard);
  if (!why) return Ok{};
  if (own.value()) (void)::unlinkat(folder.number(), name.c_str(), AT_REMOVEDIR);
  return Error{ErrorCode::kInvalidArgument,
               fmt::format("open {}: {}; give another path, or remove the folder", path, *why)};
}

Status CheckWithoutShards(const std::string& path, int folder) {
  for (const std::string& name : EntriesOf(folder, S_IFDIR)) {
    if (!ShardOfFolder(name)) continue;
    return Error{
        ErrorCode::kInvalidArgument,
        fmt::format("open {}: it has the slices of shards ({}), and source.kafka.partitions "
                    "is not given; give another path, or remove the folder",
                    path, name)};
  }
  return Ok{};
}

Result<std::int32_t> CountShards(const std::string& path, int folder) {
  std::optional<StreamShard> known;
  std::set<std::int32_t> numbers;
  for (const std::string& name : EntriesOf(folder, S_IFDIR)) {
    const std::optional<StreamShard> shard = ShardOfFolder(name);
    if (!shard) continue;
    if (!known) known = shard;
    numbers.insert(shard->number);
  }
  if (!known) return 0;
  if (const std::optional<std::string> foreign = FindForeign(folder, known->of)) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("{}: it has {} as well as {}{}; a folder has the slices of one "
                             "process, or of shards that all have the same `of`",
                             path, *foreign, kShardPrefix, known->ToString())};
  }
  std::string missing;
  for (StreamShard shard{1, known->of}; shard.number <= shard.of; ++shard.number) {
    if (numbers.contains(shard.number)) continue;
    missing += fmt::format("{}{}{}", missing.empty() ? "" : ", ", kShardPrefix, shard.ToString());
  }
  if (missing.empty()) return known->of;
  return Error{ErrorCode::kInvalidArgument,
               fmt::format("{}: it has no {}; slices are whole with those of all shards. Start the "
                           "shard, or copy its folder",
                           path, missing)};
}

Result<ShardFacts> ReadShardFacts(const std::string& path, const StreamShard& shard) {
  const std::string own = ShardPath(path, shard);
  const OwnedDescriptor folder = OpenFolderAt(AT_FDCWD, own);
  if (!folder.is_open()) return Error{ErrorCode::kNotFound, "there is no " + own};
  if (::faccessat(folder.number(), kShardTextName, F_OK, AT_SYMLINK_NOFOLLOW) != 0) {
    return Error{ErrorCode::kNotFound, fmt::format("there is no {}/{}", own, kShardTextName)};
  }
  const Result<std::string> text = ReadSmallFile(folder.number(), kShardTextName, kMostShardBytes);
  if (!text) return text.error();
  Result<ShardFacts> facts = ParseShardText(text.value());
  if (!facts) return std::move(facts).error().Within(own + "/" + kShardTextName);
  if (facts.value().shard == shard) return facts;
  return Error{ErrorCode::kCorruption, fmt::format("{}/{}: it is the manifest of shard {}", own,
                                                   kShardTextName, facts.value().shard.ToString())};
}

Status WriteShardFacts(int folder, const ShardFacts& facts) {
  return WriteWhole(folder, kShardTextName, ShardText(facts));
}

}  // namespace sash
