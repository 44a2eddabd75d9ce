#include "windows/durable/saved_checkpoint.h"

#include <algorithm>
#include <atomic>
#include <future>
#include <map>
#include <memory>
#include <utility>

#include "windows/base/check.h"
#include "windows/durable/journal.h"
#include "windows/durable/slice_file.h"

namespace sash {
namespace {

// Reads the file of a slice, and checks that it is the one that the manifest references.
Result<SectionedFile> ReadSliceFile(const Folder& folder, const SliceEntry& entry) {
  const std::string name = SliceFileName(entry.file);
  Result<SectionedFile> file =
      SectionedFile::Read(folder, name, FileKind::kSlice, entry.stamp.bytes);
  if (!file) {
    // A missing file is damage, because the manifest names it.
    Error error = std::move(file).error();
    if (error.code == ErrorCode::kNotFound) error.code = ErrorCode::kCorruption;
    return error;
  }
  if (file.value().stamp() != entry.stamp) {
    return Error{ErrorCode::kCorruption, folder.path() + "/" + name +
                                             ": it is not damaged, but not the file that " +
                                             kManifestName + " names"};
  }
  return file;
}

Result<SliceSummary> CheckSliceFile(const Folder& folder, const Manifest& manifest,
                                    const PartitionTable& partitions, const SliceEntry& entry,
                                    KeyKind kind) {
  const Result<SectionedFile> file = ReadSliceFile(folder, entry);
  if (!file) return file.error();
  Result<SliceSummary> summary = CheckSlice(file.value(), kind, partitions);
  const std::string path = folder.path() + "/" + SliceFileName(entry.file);
  if (!summary) return std::move(summary).error().Within(path);
  if (summary.value().id.value != entry.id) {
    return Error{ErrorCode::kCorruption, path + ": it holds slice " +
                                             std::to_string(summary.value().id.value) + ", not " +
                                             std::to_string(entry.id)};
  }
  const std::vector<LaneState>& lanes = manifest.state().lanes;
  const auto lane = std::ranges::find(lanes, entry.lane, &LaneState::serial);
  if (!CanRetain(*lane, summary.value().begin, summary.value().end)) {
    return Error{ErrorCode::kCorruption, path + ": its slice is from " +
                                             std::to_string(summary.value().begin) + " to " +
                                             std::to_string(summary.value().end) +
                                             ", but its lane has closed nothing there"};
  }
  return summary;
}

// Results are in the order of the manifest. Two threads each take the next file.
std::vector<Result<SliceSummary>> CheckSliceFiles(const Folder& folder, const Manifest& manifest,
                                                  KeyKind kind) {
  const std::vector<SliceEntry>& entries = manifest.slices();
  std::vector<Result<SliceSummary>> found(entries.size(), SliceSummary());
  std::atomic<std::size_t> next = 0;
  std::uint64_t bytes = 0;
  for (const SliceEntry& entry : entries) bytes += entry.stamp.bytes;
  PartitionTable partitions;
  NamePartitions(manifest.state(), partitions);
  const auto check = [&] {
    for (std::size_t i = next++; i < entries.size(); i = next++) {
      found[i] = CheckSliceFile(folder, manifest, partitions, entries[i], kind);
    }
  };
  constexpr std::uint64_t kWorthAThread = 1 << 20;  // bytes
  std::future<void> other;
  if (bytes >= kWorthAThread) other = std::async(std::launch::async, check);
  check();
  if (other.valid()) other.get();
  return found;
}

Result<Manifest> ReadManifest(const Folder& folder, std::optional<KeyKind> kind) {
  Result<SectionedFile> file =
      SectionedFile::Read(folder, kManifestName, FileKind::kManifest);
  if (!file) return file.error();
  Result<Manifest> manifest = Manifest::Parse(std::move(file).value(), kind);
  if (!manifest) return std::move(manifest).error().Within(folder.path() + "/" + kManifestName);
  return manifest;
}

// Reads slice files in the order in which they are requested, each while the previous slice is
// interned.
class SlicesAhead {
 public:
  // `order`: the slices in the order in which they will be requested.
  SlicesAhead(const Folder& folder, std::vector<SliceEntry> order, KeyKind kind,
              const PartitionTable& partitions)
      : folder_(folder), order_(std::move(order)), kind_(kind), partitions_(partitions) {
    ReadNext();
  }

  Result<LoadedSlice> Load(std::uint64_t lane, SliceId id, VertexDictionary& keys,
                           const FilterTexts& filters) {
    const SliceEntry& entry = order_.at(next_ - 1);
    SASH_CHECK(entry.lane == lane && entry.id == id.value);
    Result<ReadFromFile> read = reading_.get();
    ReadNext();
    if (!read) return read.error();
    return InternSlice(std::move(read.value().slice), keys, filters);
  }

 private:
  struct ReadFromFile {
    std::unique_ptr<SectionedFile> file;  // owns the texts of the keys
    NumberedSlice slice;
  };

  void ReadNext() {
    if (next_ == order_.size()) return;
    reading_ =
        std::async(std::launch::async, [this, entry = order_[next_]] { return Read(entry); });
    ++next_;
  }

  // The stamp shows that this is the file that was checked before.
  Result<ReadFromFile> Read(const SliceEntry& entry) const {
    Result<SectionedFile> file = ReadSliceFile(folder_, entry);
    if (!file) return file.error();
    ReadFromFile read{std::make_unique<SectionedFile>(std::move(file).value()), {}};
    Result<NumberedSlice> slice = ReadSlice(*read.file, kind_, partitions_);
    if (!slice) return slice.error();
    read.slice = std::move(slice).value();
    return read;
  }

  const Folder& folder_;
  const std::vector<SliceEntry> order_;
  const KeyKind kind_;
  const PartitionTable& partitions_;
  std::size_t next_ = 0;  // the next to read
  std::future<Result<ReadFromFile>> reading_;
};

}  // namespace

Result<std::optional<SavedCheckpoint>> SavedCheckpoint::Find(const Folder& folder, KeyKind kind) {
  Result<Manifest> manifest = ReadManifest(folder, kind);
  if (!manifest) {
    if (manifest.error().code == ErrorCode::kNotFound) return std::optional<SavedCheckpoint>();
    return manifest.error();
  }
  std::uint64_t bytes = manifest.value().bytes();
  for (const Result<SliceSummary>& sound : CheckSliceFiles(folder, manifest.value(), kind)) {
    if (!sound) return sound.error();
  }
  for (const SliceEntry& entry : manifest.value().slices()) bytes += entry.stamp.bytes;
  return std::optional(SavedCheckpoint(folder, std::move(manifest).value(), bytes));
}

std::optional<SavedCheckpoint::Origin> SavedCheckpoint::FindOrigin(const Folder& folder) {
  const Result<Manifest> manifest = ReadManifest(folder, std::nullopt);
  if (!manifest) return std::nullopt;
  Origin origin{.mapping = manifest.value().state().mapping,
                .keys = manifest.value().key_kind(),
                .read = {}};
  for (const PartitionState& partition : manifest.value().state().partitions) {
    if (partition.next_offset) origin.read.push_back(partition.pair);
  }
  return origin;
}

Status SavedCheckpoint::Restore(WindowEngine& engine, VertexDictionary& keys,
                                PartitionTable& partitions, const OnSlice& on_slice) && {
  std::map<std::pair<std::uint64_t, std::uint64_t>, SliceEntry> entries;
  for (const SliceEntry& entry : slices()) entries[{entry.lane, entry.id}] = entry;
  std::vector<SliceEntry> order;  // the order in which the engine requests them
  for (const LaneState& lane : state().lanes) {
    for (std::uint64_t i = 0; i < lane.retained; ++i) {
      order.push_back(entries.at({lane.serial, lane.first_retained() + i}));
    }
  }
  EngineState from = std::move(manifest_).TakeState(keys, partitions);
  SlicesAhead ahead(*folder_, std::move(order), keys.kind(), partitions);
  std::size_t read = 0;
  return engine.Restore(std::move(from), [&](std::uint64_t lane, SliceId id) {
    Result<LoadedSlice> slice = ahead.Load(lane, id, keys, engine.filters());
    if (on_slice) on_slice(++read);
    return slice;
  });
}

Result<CheckpointFindings> VerifyCheckpoint(const Folder& folder) {
  const Result<std::vector<std::string>> names = folder.List();
  if (!names) return names.error();
  CheckpointFindings findings;
  std::vector<std::string> strays = names.value();
  std::erase(strays, kManifestName);
  const Result<Manifest> manifest = ReadManifest(folder, std::nullopt);
  ++findings.files;
  if (!manifest) {
    findings.faults.push_back(manifest.error().message);
    return findings;
  }
  findings.bytes = manifest.value().bytes();
  PartitionTable partitions;
  NamePartitions(manifest.value().state(), partitions);
  for (const SliceEntry& entry : manifest.value().slices()) {
    std::erase(strays, SliceFileName(entry.file));
    ++findings.files;
    ++findings.slices;
    const Result<SliceSummary> summary =
        CheckSliceFile(folder, manifest.value(), partitions, entry, manifest.value().key_kind());
    if (!summary) {
      findings.faults.push_back(summary.error().message);
      continue;
    }
    findings.bytes += entry.stamp.bytes;
    findings.events += summary.value().events;
  }
  if (const std::uint64_t state = manifest.value().state().journal; state != 0) {
    std::erase_if(strays, [&](const std::string& name) {
      return JournalFileNumber(name).value_or(0) >= state;
    });
    const Result<JournalledRounds> journal = ReadJournal(folder, state);
    if (!journal) return journal.error();
    findings.rounds = journal.value().rounds.size();
    findings.journal_remark = journal.value().remark;
  }
  findings.strays = std::move(strays);
  return findings;
}

}  // namespace sash
