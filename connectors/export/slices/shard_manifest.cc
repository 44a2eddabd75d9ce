#include "connectors/export/slices/shard_manifest.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <pthread.h>

#include <algorithm>
#include <utility>

#include "connectors/export/log_events.h"
#include "connectors/export/own_folder.h"
#include "connectors/export/slices/shard_folders.h"

namespace sash {

Result<std::unique_ptr<ShardManifest>> ShardManifest::Open(ShardSurroundings around) {
  const std::string path = ShardPath(around.path, around.shard);
  OwnedDescriptor folder = OpenFolderAt(AT_FDCWD, path);
  if (!folder.is_open()) return SystemFailure("open " + path);
  std::unique_ptr<ShardManifest> opened(new ShardManifest(std::move(around), std::move(folder)));
  const ShardSurroundings& own = opened->around_;
  const Result<ShardFacts> before = ReadShardFacts(own.path, own.shard);
  if (before) {
    opened->closed_before_ = before.value().closed_until;
  } else if (before.error().code != ErrorCode::kNotFound) {
    return before.error();
  }
  return opened;
}

void ShardManifest::Start() {
  thread_ = std::thread([this] {
    pthread_setname_np(pthread_self(), "shard manifest");
    Run(stop_.get_token());
  });
}

void ShardManifest::Stop() {
  stop_.request_stop();
  if (!thread_.joinable()) return;
  thread_.join();
  WriteNewest();
}

void ShardManifest::Run(const std::stop_token& stop) {
  do {
    WriteNewest();
    LookAtOthers();
  } while (SleepFor(stop, kEvery));
}

void ShardManifest::Publish(ShardFacts now) {
  now.shard = around_.shard;
  now.pane = around_.pane;
  now.keys = around_.keys;
  now.mapping = around_.mapping;
  now.closed_until = std::max(now.closed_until, closed_before_);
  now.written = around_.clock.Now();
  const MutexLock lock(mutex_);
  if (newest_) now.closed_until = std::max(now.closed_until, newest_->closed_until);
  newest_ = std::move(now);
  is_written_ = false;
}

std::optional<EventTime> ShardManifest::closed_until() const {
  const MutexLock lock(mutex_);
  return newest_ ? newest_->closed_until : closed_before_;
}

void ShardManifest::WriteNewest() {
  std::optional<ShardFacts> facts;
  {
    const MutexLock lock(mutex_);
    if (std::exchange(is_written_, true)) return;
    facts = newest_;
  }
  const Status written = WriteShardFacts(folder_.number(), *facts);
  const MutexLock lock(mutex_);
  const bool was_failing = failure_.has_value();
  failure_.reset();
  if (!written) {
    is_written_ = false;
    failure_ = fmt::format("shard {}: its manifest is not written: {}", around_.shard.ToString(),
                           written.error().message);
    if (!was_failing) around_.log.Log(export_events::kShardFailed, *failure_);
  } else if (was_failing) {
    around_.log.Log(
        export_events::kShardResumed,
        fmt::format("shard {}: its manifest is written again", around_.shard.ToString()));
  }
}

ShardFacts ShardManifest::Own() const {
  return {.shard = around_.shard,
          .pane = around_.pane,
          .keys = around_.keys,
          .mapping = around_.mapping};
}

void ShardManifest::LookAtOthers() {
  const EventTime now = around_.clock.Now();
  std::optional<EventTime> least;     // of the shards that this one must wait for
  std::optional<EventTime> greatest;  // of the idle shards
  bool are_known = true;              // how far the shards that it must wait for have come
  bool are_idle = true;
  std::string awaited;
  for (StreamShard shard{1, around_.shard.of}; shard.number <= shard.of; ++shard.number) {
    if (shard == around_.shard) continue;
    const Result<ShardFacts> read = ReadShardFacts(around_.path, shard);
    std::string why = read ? Own().WhyUnlike(read.value()) : read.error().message;
    if (why.empty() && now - read.value().written > kStale) {
      why = "its manifest is old, so it does not run or makes no progress";
    }
    if (why.empty() && read.value().is_idle()) {
      greatest = std::max(greatest, read.value().watermark);
      continue;
    }
    are_idle = false;
    std::optional<EventTime> until;
    if (read) until = why.empty() ? read.value().watermark : read.value().closed_until;
    if (!until) {
      are_known = false;
    } else if (!least || *until < *least) {
      least = until;
    }
    if (why.empty()) continue;
    awaited += fmt::format("{}shard {} ({})", awaited.empty() ? "" : ", ", shard.ToString(), why);
  }
  const MutexLock lock(mutex_);
  others_ = {.are_idle = are_idle, .until = are_idle ? greatest : least};
  if (!are_known) others_.until.reset();
  awaited_ = std::move(awaited);
}

OtherPartitions::Standing ShardManifest::Now() const {
  const MutexLock lock(mutex_);
  return others_;
}

std::optional<std::string> ShardManifest::not_ready() const {
  const MutexLock lock(mutex_);
  if (failure_) return failure_;
  if (awaited_.empty() || !newest_ || !newest_->is_idle()) return std::nullopt;
  return fmt::format("shard {} is idle, and closes no further slice while it cannot follow {}",
                     around_.shard.ToString(), awaited_);
}

}  // namespace sash
