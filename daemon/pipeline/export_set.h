// ExportSet: the exports of a process: the windows that it writes as files, the leases of its
// frozen snapshots, and the slices that it writes, with the manifest of its shard.
//
// Thread safety: Open(), Start(), Await(), StopWindows(), LetSlicesGo() and StopSlices() belong to
// the main thread, and the functions under "In the engine thread" to that thread. All others may be
// called from any thread.
//
// Invariants
//   (1) A process that reads a shard has a manifest, and exports slices.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "connectors/export/leases/lease_book.h"
#include "connectors/export/slices/shard_manifest.h"
#include "connectors/export/slices/slice_export.h"
#include "connectors/export/window_export.h"
#include "connectors/sinks/dead_letters.h"
#include "connectors/sinks/sink_spec.h"
#include "daemon/config/config.h"
#include "daemon/pipeline/shard_keeping.h"
#include "windows/base/clock.h"
#include "windows/base/event_log.h"
#include "windows/ingest/partition_table.h"
#include "windows/ingest/rewind_point.h"
#include "windows/ingest/vertex_dictionary.h"
#include "windows/jobs/advance.h"
#include "windows/jobs/work_desk.h"
#include "windows/slide/engine_listener.h"
#include "windows/slide/window_engine.h"

namespace sash {

class ExportSet {
 public:
  // Those with references outlive the exports.
  struct Surroundings {
    const Config& config;
    const VertexDictionary& keys;
    const PartitionTable& partitions;
    const Clock& clock;
    EventLog& log;
    OutputMode mode = OutputMode::kLive;
    std::uint64_t most_waiting = 0;  // bytes of closed slices that may wait for the disk
    DeadLetters& dead_letters;
    // What is known of a window by its name, once the engine runs.
    std::function<WindowContext(const std::string&)> context;
    std::function<void(const RewindPoint&)> commit;  // by a shard
  };

  // Opens the folders. The error names the key of the export. kInvalidArgument: the configuration
  // and the content of a folder do not match.
  static Result<std::unique_ptr<ExportSet>> Open(Surroundings around);

  void Start();
  // Waits until closed slices are durable, and with `windows` until every advance that an export
  // takes is written.
  void Await(bool windows);
  // Nothing more is written. Nothing waits.
  void GiveUp();
  void StopWindows();  // an engine that waits for one goes on
  void LetSlicesGo();  // likewise
  void StopSlices();   // a checkpoint that waits for it goes on

  // Called in the engine thread.
  void Submit(const AdvancePtr& advance);
  void Add(const ClosedSlice& slice);
  void AwaitRoom();   // for slices
  void BeginShard();  // its partitions are known
  // Call it after each round of an engine whose state nothing else keeps, and once after the last.
  void NoteShard(const WindowEngine& engine, bool is_last);

  // Calls act() once the slices that have been added by now are durable; at once without slices.
  void AfterDurable(std::function<void()> act);
  // Waits until they are.
  Status AwaitDurable();

  // Writes an advance in each export that lists its window. Nothing waits.
  std::vector<AskedExport> Ask(const AdvancePtr& advance);
  // The frozen snapshot of an advance, for an external job.
  Result<HeldSnapshot> Hold(const AdvancePtr& advance, SteadyTime until,
                            const std::stop_token& stop);
  // The folder with the frozen snapshots of a window, if an export writes it.
  std::optional<std::string> FrozenFolderOf(const std::string& window) const;
  // The leases of these snapshots; null: no export writes them.
  LeaseBook* LeasesOf(const std::string& window) const;
  std::vector<LeaseBook*> LeaseBooks() const;  // of each export of frozen snapshots

  std::vector<ExportCounts> Counts() const;
  std::uint64_t memory_bytes() const;
  std::uint64_t waiting_slices() const;                        // closed, and not durable
  const SliceExport* slices() const { return slices_.get(); }  // null: they are not exported
  ShardManifest* shard() const { return shard_.get(); }        // null: it reads all partitions

 private:
  // An export of windows.
  struct Windows {
    std::unique_ptr<WindowExport> writer;
    std::unique_ptr<LeaseBook> leases;  // null: they are not frozen
  };

  explicit ExportSet(Surroundings around) : around_(std::move(around)) {}

  Status OpenWindows(const ExportSpec& spec);
  Status OpenSlices(const ExportSpec& spec);
  Status OpenShard(const ExportSpec& spec, const StreamShard& shard, std::string mapping);
  const Windows* FrozenOf(const std::string& window) const;

  const Surroundings around_;
  std::vector<Windows> windows_;
  std::unique_ptr<ShardManifest> shard_;
  std::optional<ShardKeeping> keeping_;  // with `shard_`
  std::unique_ptr<SliceExport> slices_;
};

}  // namespace sash
