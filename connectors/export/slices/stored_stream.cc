#include "connectors/export/slices/stored_stream.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <utility>

#include "connectors/export/slices/shard_folders.h"
#include "connectors/export/slices/shard_merge.h"
#include "connectors/export/slices/slice_folder.h"

namespace sash {
namespace {

Error NotAStream(std::string why) { return {ErrorCode::kInvalidArgument, std::move(why)}; }

// Whether these are slices of that shard (nothing: of a process that reads everything), one after
// the other, with panes of that length.
Status CheckPanes(const std::vector<SliceFacts>& slices, Duration pane,
                  const std::optional<StreamShard>& shard) {
  std::optional<EventTime> end;
  for (const SliceFacts& facts : slices) {
    const std::string name = SliceTextName(facts.number);
    if (facts.shard && !shard) {
      return NotAStream(
          fmt::format("its slices are those of shard {} of {}, which are a part of the "
                      "stream alone; give the folder that has the folders of all shards",
                      facts.shard->number, facts.shard->of));
    }
    if (facts.shard != shard) {
      return Error{ErrorCode::kCorruption, name + ": it is not a slice of this shard"};
    }
    if (facts.pane() != pane || facts.begin.time_since_epoch() % pane != Duration::zero() ||
        (end && facts.begin < *end)) {
      return Error{ErrorCode::kCorruption,
                   name + ": its pane does not follow those of the slices before it"};
    }
    end = facts.end;
  }
  return Ok{};
}

Result<StoredStream> OfOneProcess(const std::string& path, OwnedDescriptor folder) {
  Result<std::vector<SliceFacts>> found = FindSlices(folder.number(), path);
  if (!found) return found.error();
  StoredStream stream;
  stream.folders.push_back({std::move(folder)});
  if (found.value().empty()) return stream;
  const Duration pane = found.value().front().pane();
  if (Status fit = CheckPanes(found.value(), pane, {}); !fit) {
    return std::move(fit).error().Within(path);
  }
  std::optional<std::uint64_t> before;
  for (SliceFacts& facts : found.value()) {
    StreamSlice& slice = stream.slices.emplace_back();
    slice.previous = facts.previous;
    slice.begin = facts.begin;
    slice.end = facts.end;
    slice.late = facts.late;
    slice.refused = facts.refused;
    slice.gap = facts.gap;
    if (before) slice.lost = facts.number - *before - 1;
    before = facts.number;
    slice.parts.push_back({0, std::move(facts)});
  }
  return stream;
}

// The manifest first: what it counts may be in a slice that closes later.
Result<ShardSlices> ReadShard(const std::string& path, const StreamShard& shard, int folder) {
  Result<ShardFacts> about = ReadShardFacts(path, shard);
  if (!about && about.error().code == ErrorCode::kNotFound) {
    return NotAStream(fmt::format("{}; a shard writes it each second, so start the shard",
                                  about.error().message));
  }
  if (!about) return about.error();
  const std::string own = ShardPath(path, shard);
  if (!about.value().closed_until) {
    return NotAStream(
        fmt::format("{}: it has closed nothing (no `closed_until` in {}); slices are "
                    "whole when all shards have closed them",
                    own, kShardTextName));
  }
  Result<std::vector<SliceFacts>> slices = FindSlices(folder, own);
  if (!slices) return slices.error();
  const Duration pane = about.value().pane;
  if (Status fit = CheckPanes(slices.value(), pane, shard); !fit) {
    return std::move(fit).error().Within(own);
  }
  return ShardSlices{std::move(about).value(), std::move(slices).value()};
}

// The shards that have closed no more than all have.
std::string ListBehind(const std::vector<ShardSlices>& shards) {
  std::string list;
  for (const ShardSlices& shard : shards) {
    if (shard.about.closed_until != ClosedByAll(shards)) continue;
    list += (list.empty() ? "shard " : ", shard ") + shard.about.shard.ToString();
  }
  return list;
}

Result<StoredStream> OfShards(const std::string& path, std::int32_t of) {
  StoredStream stream;
  std::vector<ShardSlices> shards;
  for (StreamShard shard{1, of}; shard.number <= of; ++shard.number) {
    const std::string own = ShardPath(path, shard);
    OwnedDescriptor folder(::open(own.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!folder.is_open()) return SystemFailure("open " + own);
    Result<ShardSlices> read = ReadShard(path, shard, folder.number());
    if (!read) return read.error();
    stream.folders.push_back({std::move(folder), fmt::format("shard-{}/", shard.ToString())});
    shards.push_back(std::move(read).value());
    const std::string why = shards.front().about.WhyUnlike(shards.back().about);
    if (why.empty()) continue;
    return NotAStream(
        fmt::format("{}: {} than in shard {}; shards have the same configuration, except "
                    "for source.kafka.partitions.shard and http.listen",
                    own, why, shards.front().about.shard.ToString()));
  }
  UnfinishedSlices unfinished{.closed_until = ClosedByAll(shards), .behind = ListBehind(shards)};
  MergedShards merged = MergeShards(std::move(shards));
  stream.slices = std::move(merged.slices);
  if (!merged.first_left_out) return stream;
  unfinished.count = merged.left_out;
  unfinished.first_end = *merged.first_left_out;
  stream.unfinished = std::move(unfinished);
  return stream;
}

}  // namespace

Result<StoredStream> StoredStream::Find(const std::string& path) {
  OwnedDescriptor folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!folder.is_open()) return SystemFailure("open " + path);
  const Result<std::int32_t> shards = CountShards(path, folder.number());
  if (!shards) return shards.error();
  if (shards.value() == 0) return OfOneProcess(path, std::move(folder));
  return OfShards(path, shards.value());
}

}  // namespace sash
