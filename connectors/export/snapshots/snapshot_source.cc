#include "connectors/export/snapshots/snapshot_source.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <system_error>
#include <utility>

#include "connectors/export/snapshot_name.h"
#include "connectors/export/stored_file.h"
#include "connectors/sinks/time_text.h"

namespace sash {
namespace {

Error Unusable(std::string why) { return {ErrorCode::kInvalidArgument, std::move(why)}; }

}  // namespace

std::optional<std::string> FindSnapshot(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code why;
  if (fs::is_regular_file(fs::path(path) / kSnapshotText, why)) return path;
  std::optional<std::string> newest;
  fs::file_time_type written{};
  for (fs::directory_iterator entry(path, why); !why && entry != fs::directory_iterator();
       entry.increment(why)) {
    std::error_code missing;
    const fs::file_time_type at = fs::last_write_time(entry->path() / kSnapshotText, missing);
    if (missing || (newest && at <= written)) continue;
    newest = entry->path().string();
    written = at;
  }
  return newest;
}

SnapshotSource::SnapshotSource(SliceSourceSpec spec, SliceSource::Wanted wanted,
                               PartitionTable& partitions, BatchQueue& queue,
                               const StreamProgress& progress)
    : spec_(std::move(spec)),
      wanted_(std::move(wanted)),
      by_type_(wanted_.filters, kPassesAll),
      partitions_(partitions),
      reading_(queue, progress) {}

Status SnapshotSource::Start() {
  folder_.emplace(::open(spec_.path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!folder_->is_open()) return SystemFailure("open " + spec_.path);
  lock_.emplace(LockToRead(folder_->number(), kSnapshotText));
  if (!lock_->is_open()) {
    return Error{ErrorCode::kNotFound, spec_.path + ": the snapshot has been removed"};
  }
  Result<StoredSnapshot> opened = StoredSnapshot::Open(folder_->number());
  if (!opened) return std::move(opened).error().Within(spec_.path);
  snapshot_.emplace(std::move(opened).value());
  if (Status fit = Check(); !fit) return std::move(fit).error().Within(spec_.path);
  partition_ = partitions_.Index({.topic = snapshot_->manifest().window});
  batch_.filters = std::make_shared<const FilterSet>(FilterSet{0, wanted_.filters});
  batch_.start.emplace();
  batch_.start->partitions = {partition_};
  reading_.Start("snapshot source", [this](const std::stop_token& stop) { Run(stop); });
  return Ok{};
}

Status SnapshotSource::Check() const {
  const SnapshotManifest& manifest = snapshot_->manifest();
  if (spec_.span)
    return Unusable("it is one snapshot, so --from and --to cannot choose a part of it");
  if (manifest.keys != wanted_.keys) {
    const bool are_integers = manifest.keys == KeyKind::kInteger;
    return Unusable(fmt::format("its keys are {}; set source.export.keys: {}",
                                are_integers ? "integers" : "texts",
                                are_integers ? "integer" : "string"));
  }
  if (Status known = CheckFilters(wanted_.filters); !known) return known;
  if (manifest.window_end.time_since_epoch() % wanted_.pane == Duration::zero()) return Ok{};
  return Unusable(fmt::format("it ends at {}, where no window of these slides and offsets ends",
                              TimeText(manifest.window_end)));
}

Status SnapshotSource::CheckFilters(const FilterTexts& filters) const {
  const auto unknown = std::ranges::find_if_not(filters, JudgesByTypesAlone);
  if (unknown == filters.end()) return Ok{};
  return Unusable(fmt::format(
      "a snapshot does not say which edges pass the filter `{}`; export the window that "
      "has it, and leave the filter out here",
      *unknown));
}

// The engine translates the bits of batches that have the earlier set of filters.
Result<Source::Switch> SnapshotSource::PrepareFilters(FilterSetPtr filters) {
  if (Status known = CheckFilters(filters->texts); !known) return std::move(known).error();
  return Switch([] {});
}

void SnapshotSource::Run(const std::stop_token& stop) {
  const SnapshotManifest& manifest = snapshot_->manifest();
  batch_.pane = StoredPane{.begin = manifest.window_end - wanted_.pane, .end = manifest.window_end};
  const StoredPane pane = *batch_.pane;
  while (const SnapshotEdge* const edge = snapshot_->Next()) {
    Put(*edge);
    if (batch_.events().size() < SliceSource::kBatchEvents &&
        batch_.bytes() < SliceSource::kBatchBytes) {
      continue;
    }
    if (!Push(stop)) return;
    batch_.pane = pane;
  }
  if (snapshot_->failure()) {
    return reading_.Fail(fmt::format("{}/{}", spec_.path, snapshot_->failure()->message));
  }
  batch_.pane->is_whole = true;
  batch_.pane->late = manifest.late;
  batch_.pane->refused = manifest.refused;
  batch_.pane->gap = manifest.gap;
  if (!Push(stop)) return;
  batch_.pane.reset();
  batch_.end_of_source = true;
  (void)Push(stop);
}

bool SnapshotSource::Push(const std::stop_token& stop) {
  rows_ += batch_.events().size();
  return reading_.Push(batch_, stop);
}

KeyRef SnapshotSource::KeyOf(std::uint64_t place) {
  const StoredKeys& keys = snapshot_->keys();
  if (wanted_.keys == KeyKind::kInteger) return KeyRef::Integer(keys.IntegerOf(place));
  return KeyRef::Text(batch_.Store(keys.TextOf(place)));
}

void SnapshotSource::Put(const SnapshotEdge& edge) {
  const std::size_t place = batch_.events().size();
  const KeyRef source = KeyOf(edge.source);
  const KeyRef target = KeyOf(edge.target);
  batch_.Add(EdgeEvent{.time = snapshot_->manifest().window_end - Duration(1),
                       .offset = next_row_++,
                       .source = source,
                       .target = target,
                       .weight = edge.weight,
                       .partition = partition_});
  if (!edge.type.empty()) batch_.NoteType(place, batch_.Store(edge.type));
  if (by_type_.bits() == 0) return;
  // Bits that belong to no filter are set.
  batch_.NotePasses(place, by_type_.OfWord(edge.type) | ~by_type_.bits());
}

SourceStatus SnapshotSource::status() const {
  SourceStatus status;
  status.kind = "export";
  status.address = spec_.path;
  status.records = rows_;
  reading_.AddTo(status);
  return status;
}

}  // namespace sash
