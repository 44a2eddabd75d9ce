#include "daemon/pipeline/export_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "connectors/codec/mapping_text.h"
#include "connectors/export/frozen/frozen_format.h"
#include "connectors/export/parquet/parquet_format.h"
#include "connectors/export/slices/shard_folders.h"
#include "daemon/log/log_events.h"

namespace sash {
namespace {

std::unique_ptr<SnapshotFormat> ExportFormatOf(ExportKind kind) {
  if (kind == ExportKind::kFrozen) return std::make_unique<FrozenFormat>();
  return std::make_unique<ParquetFormat>();
}

}  // namespace

Result<std::unique_ptr<ExportSet>> ExportSet::Open(Surroundings around) {
  std::unique_ptr<ExportSet> set(new ExportSet(std::move(around)));
  const std::vector<ExportSpec>& specs = set->around_.config.exports;
  for (std::size_t i = 0; i < specs.size(); ++i) {
    Status opened = specs[i].slices ? set->OpenSlices(specs[i]) : set->OpenWindows(specs[i]);
    if (!opened) return std::move(opened).error().Within(ExportKey(specs[i], i, "path"));
  }
  return set;
}

Status ExportSet::OpenWindows(const ExportSpec& spec) {
  Result<std::unique_ptr<WindowExport>> opened =
      WindowExport::Open(spec, ExportFormatOf(spec.kind),
                         {.keys = around_.keys,
                          .clock = around_.clock,
                          .log = around_.log,
                          .context = around_.context,
                          .is_finite = around_.config.source.is_finite()});
  if (!opened) return opened.error();
  Windows& added = windows_.emplace_back();
  added.writer = std::move(opened).value();
  if (spec.kind != ExportKind::kFrozen) return Ok{};
  added.leases = std::make_unique<LeaseBook>(
      LeaseBounds{
          .at_most = spec.leases, .longest = spec.lease_ttl, .bytes = spec.lease_limit_bytes},
      added.writer->folder(), around_.clock);
  added.writer->NameHoldersBy([of = added.leases.get()] { return of->HoldersText(); });
  return Ok{};
}

Status ExportSet::OpenSlices(const ExportSpec& spec) {
  if (around_.mode == OutputMode::kBoundedReplay) {
    around_.log.Log(process_events::kSlicesLeftOut,
                    fmt::format("export {}: a replay of a part of a topic writes no slices, "
                                "because the first and the last would not be whole",
                                spec.path));
    return Ok{};
  }
  const SourceConfig& source = around_.config.source;
  const std::string mapping = MappingDigest(MappingText(source.format, source.time.dedupe_within));
  SliceSurroundings around{.keys = around_.keys,
                           .partitions = around_.partitions,
                           .clock = around_.clock,
                           .log = around_.log,
                           .pane = Duration(PaneOf(around_.config.windows, WindowAxis::kEventTime)),
                           .mapping = mapping,
                           .starts_over = source.is_replay(),
                           .most_waiting = around_.most_waiting};
  if (around_.config.alone) {
    around.shard = *source.shard();
    around.pane = around_.config.alone->pane;
    if (Status opened = OpenShard(spec, *around.shard, mapping); !opened) return opened;
    around.closed_before = shard_->closed_before();
  }
  Result<std::unique_ptr<SliceExport>> opened = SliceExport::Open(spec, std::move(around));
  if (!opened) return opened.error();
  slices_ = std::move(opened).value();
  if (!shard_) return Ok{};
  keeping_.emplace(ShardKeeping::Parts{.slices = *slices_,
                                       .manifest = *shard_,
                                       .dead_letters = around_.dead_letters,
                                       .clock = around_.clock,
                                       .commit = around_.commit});
  return Ok{};
}

Status ExportSet::OpenShard(const ExportSpec& spec, const StreamShard& shard, std::string mapping) {
  if (Status fits = PrepareShardFolder(spec.path, shard); !fits) return fits;
  Result<std::unique_ptr<ShardManifest>> manifest =
      ShardManifest::Open({.clock = around_.clock,
                           .log = around_.log,
                           .path = spec.path,
                           .shard = shard,
                           .pane = around_.config.alone->pane,
                           .keys = around_.keys.kind(),
                           .mapping = std::move(mapping)});
  if (!manifest) return manifest.error();
  shard_ = std::move(manifest).value();
  return Ok{};
}

void ExportSet::Start() {
  for (const Windows& each : windows_) each.writer->Start();
  for (LeaseBook* const each : LeaseBooks()) each->Start();
  if (slices_) slices_->Start();
  if (shard_) shard_->Start();
}

void ExportSet::Await(bool windows) {
  if (slices_) slices_->Finish();
  if (!windows) return;
  for (const Windows& each : windows_) each.writer->Finish();
}

void ExportSet::GiveUp() {
  for (const Windows& each : windows_) each.writer->RequestStop();
  if (slices_) slices_->RequestStop();
}

void ExportSet::StopWindows() {
  for (LeaseBook* const each : LeaseBooks()) each->Stop();
  for (const Windows& each : windows_) each.writer->Stop();
}

void ExportSet::LetSlicesGo() {
  if (slices_) slices_->LetGo();
}

void ExportSet::StopSlices() {
  if (slices_) slices_->Stop();
  if (shard_) shard_->Stop();
}

void ExportSet::Submit(const AdvancePtr& advance) {
  for (const Windows& each : windows_) each.writer->Submit(advance);
}

void ExportSet::Add(const ClosedSlice& slice) {
  if (slices_ && slice.logs) slices_->Add({slice.slice, slice.logs, slice.ids, slice.filters});
}

void ExportSet::AwaitRoom() {
  if (slices_) slices_->AwaitRoom();
}

void ExportSet::BeginShard() {
  if (keeping_) keeping_->Begin();
}

void ExportSet::NoteShard(const WindowEngine& engine, bool is_last) {
  if (keeping_) keeping_->Note(engine, is_last);
}

void ExportSet::AfterDurable(std::function<void()> act) {
  if (!slices_) return act();
  slices_->AfterDurable(std::move(act));
}

Status ExportSet::AwaitDurable() { return slices_ ? slices_->AwaitDurable() : Status(Ok{}); }

std::vector<AskedExport> ExportSet::Ask(const AdvancePtr& advance) {
  std::vector<AskedExport> all;
  for (const Windows& each : windows_) {
    if (std::optional<AskedExport> asked = each.writer->Ask(advance)) {
      all.push_back(*std::move(asked));
    }
  }
  return all;
}

const ExportSet::Windows* ExportSet::FrozenOf(const std::string& window) const {
  const auto found = std::ranges::find_if(
      windows_, [&](const Windows& each) { return each.writer->Freezes(window); });
  return found == windows_.end() ? nullptr : &*found;
}

Result<HeldSnapshot> ExportSet::Hold(const AdvancePtr& advance, SteadyTime until,
                                     const std::stop_token& stop) {
  const std::string& window = advance->provenance.window;
  if (const Windows* const frozen = FrozenOf(window)) {
    return frozen->writer->Hold(advance, until, stop);
  }
  return Error{ErrorCode::kNotFound, fmt::format("no export writes window {}", window)};
}

std::optional<std::string> ExportSet::FrozenFolderOf(const std::string& window) const {
  const Windows* const frozen = FrozenOf(window);
  if (frozen == nullptr) return std::nullopt;
  return frozen->writer->FolderOf(window);
}

LeaseBook* ExportSet::LeasesOf(const std::string& window) const {
  const Windows* const frozen = FrozenOf(window);
  return frozen == nullptr ? nullptr : frozen->leases.get();
}

std::vector<LeaseBook*> ExportSet::LeaseBooks() const {
  std::vector<LeaseBook*> books;
  for (const Windows& each : windows_) {
    if (each.leases) books.push_back(each.leases.get());
  }
  return books;
}

std::vector<ExportCounts> ExportSet::Counts() const {
  std::vector<ExportCounts> counts;
  for (const Windows& each : windows_) {
    counts.push_back(each.writer->Counts());
    if (each.leases) counts.back().leases = each.leases->Counts();
  }
  if (slices_) counts.push_back(slices_->Counts());
  if (shard_) counts.back().slices->closed_until = shard_->closed_until();
  return counts;
}

std::uint64_t ExportSet::memory_bytes() const {
  std::uint64_t bytes = slices_ ? slices_->memory_bytes() : 0;
  for (const Windows& each : windows_) bytes += each.writer->memory_bytes();
  return bytes;
}

std::uint64_t ExportSet::waiting_slices() const { return slices_ ? slices_->waiting() : 0; }

}  // namespace sash
