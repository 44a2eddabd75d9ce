// ShardManifest: writes the manifest of this shard each second, and reads those of the others.
//
// Thread safety: Open(), Start() and Stop() belong to the owner; all other members may be called
// from any thread.
//
// Invariants
//   (1) What the manifest states was so at one moment, `written`, and `closed_until` never falls,
//       not even after a restart.
//   (2) A shard that cannot be asked, or was not heard of for kStale, does not count as idle:
//       others close no pane beyond what it has closed itself.
//   (3) No caller waits for the disk.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

#include "connectors/export/owned_descriptor.h"
#include "connectors/export/slices/shard_facts.h"
#include "windows/base/clock.h"
#include "windows/base/event_log.h"
#include "windows/base/mutex.h"
#include "windows/base/result.h"
#include "windows/ingest/other_partitions.h"
#include "windows/ingest/stream_shard.h"

namespace sash {

// Those with references outlive the manifest.
struct ShardSurroundings {
  const Clock& clock;
  EventLog& log;
  std::string path{};  // of the export: the folder with the folders of the shards
  // What all shards must have in common, and the number of this one.
  StreamShard shard{};
  Duration pane{};
  KeyKind keys = KeyKind::kString;
  std::string mapping{};  // SliceFacts::mapping
};

class ShardManifest final : public OtherPartitions {
 public:
  static constexpr std::chrono::seconds kEvery{1};
  static constexpr std::chrono::seconds kStale{10};

  // The shard's folder exists (PrepareShardFolder()).
  static Result<std::unique_ptr<ShardManifest>> Open(ShardSurroundings around);
  ~ShardManifest() { Stop(); }

  void Start();
  void Stop();  // writes what was published last

  // Every slice that had closed at that moment is durable. Uses the partitions, the watermark,
  // closed_until and the counts of `now`.
  void Publish(ShardFacts now);

  // What the process that wrote the folder before had closed.
  std::optional<EventTime> closed_before() const { return closed_before_; }
  std::optional<EventTime> closed_until() const;

  Standing Now() const override;
  // Why the manifest cannot be written, or, if this shard is idle, which shards it waits for.
  std::optional<std::string> not_ready() const;

 private:
  explicit ShardManifest(ShardSurroundings around, OwnedDescriptor folder)
      : around_(std::move(around)), folder_(std::move(folder)) {}

  void Run(const std::stop_token& stop);
  void WriteNewest();
  void LookAtOthers();
  ShardFacts Own() const;  // what is equal in all shards, and the number of this one

  const ShardSurroundings around_;
  const OwnedDescriptor folder_;
  std::optional<EventTime> closed_before_;

  mutable Mutex mutex_;
  std::optional<ShardFacts> newest_ SASH_GUARDED_BY(mutex_);
  bool is_written_ SASH_GUARDED_BY(mutex_) = true;  // newest_
  std::optional<std::string> failure_ SASH_GUARDED_BY(mutex_);
  Standing others_ SASH_GUARDED_BY(mutex_);
  std::string awaited_ SASH_GUARDED_BY(mutex_);  // the shards that hold this one, if it is idle
  std::stop_source stop_;
  std::thread thread_;
};

}  // namespace sash
