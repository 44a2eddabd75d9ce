#include "windows/durable/saved_checkpoint.h"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "windows/durable/journal.h"
#include "windows/durable/slice_file.h"

namespace sash {
namespace {

Result<SectionedFile> ReadFile(const Folder& folder, const std::string& name, FileKind kind) {
  Result<std::string> text = folder.Read(name);
  if (!text) return text.error();
  Result<SectionedFile> file = SectionedFile::Parse(std::move(text).value(), kind);
  if (!file) return std::move(file).error().Within(folder.path() + "/" + name);
  return file;
}

// The file of a slice, as the manifest means it.
Result<SectionedFile> ReadSliceFile(const Folder& folder, const SliceEntry& entry) {
  const std::string name = SliceFileName(entry.file);
  Result<SectionedFile> file = ReadFile(folder, name, FileKind::kSlice);
  if (!file) {
    // That it is not there is damage: somebody names it.
    Error error = std::move(file).error();
    if (error.code == ErrorCode::kNotFound) error.code = ErrorCode::kCorruption;
    return error;
  }
  if (file.value().stamp() != entry.stamp) {
    return Error{ErrorCode::kCorruption, folder.path() + "/" + name +
                                             ": it is sound, but not the file that " +
                                             kManifestName + " names"};
  }
  return file;
}

Result<SliceSummary> CheckSliceFile(const Folder& folder, const Manifest& manifest,
                                    const SliceEntry& entry, KeyKind kind) {
  const Result<SectionedFile> file = ReadSliceFile(folder, entry);
  if (!file) return file.error();
  Result<SliceSummary> summary = CheckSlice(file.value(), kind);
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
    return Error{ErrorCode::kCorruption,
                 path + ": its slice lies at " + std::to_string(summary.value().begin) + " to " +
                     std::to_string(summary.value().end) + ", where its lane has closed none"};
  }
  return summary;
}

Result<Manifest> ReadManifest(const Folder& folder, std::optional<KeyKind> kind) {
  Result<SectionedFile> file = ReadFile(folder, kManifestName, FileKind::kManifest);
  if (!file) return file.error();
  Result<Manifest> manifest = Manifest::Parse(std::move(file).value(), kind);
  if (!manifest) return std::move(manifest).error().Within(folder.path() + "/" + kManifestName);
  return manifest;
}

}  // namespace

Result<std::optional<SavedCheckpoint>> SavedCheckpoint::Find(const Folder& folder, KeyKind kind) {
  Result<Manifest> manifest = ReadManifest(folder, kind);
  if (!manifest) {
    if (manifest.error().code == ErrorCode::kNotFound) return std::optional<SavedCheckpoint>();
    return manifest.error();
  }
  std::uint64_t bytes = manifest.value().bytes();
  for (const SliceEntry& entry : manifest.value().slices()) {
    const Result<SliceSummary> sound = CheckSliceFile(folder, manifest.value(), entry, kind);
    if (!sound) return sound.error();
    bytes += entry.stamp.bytes;
  }
  return std::optional(SavedCheckpoint(folder, std::move(manifest).value(), bytes));
}

Status SavedCheckpoint::Restore(WindowEngine& engine, VertexDictionary& keys,
                                PartitionTable& partitions) && {
  std::map<std::pair<std::uint64_t, std::uint64_t>, SliceEntry> entries;
  for (const SliceEntry& entry : slices()) entries[{entry.lane, entry.id}] = entry;
  const auto load = [&](std::uint64_t lane, SliceId id) -> Result<std::shared_ptr<const Slice>> {
    const Result<SectionedFile> file = ReadSliceFile(*folder_, entries.at({lane, id.value}));
    if (!file) return file.error();
    return ReadSlice(file.value(), keys, partitions);
  };
  return engine.Restore(std::move(manifest_).TakeState(keys, partitions), load);
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
  for (const SliceEntry& entry : manifest.value().slices()) {
    std::erase(strays, SliceFileName(entry.file));
    ++findings.files;
    ++findings.slices;
    const Result<SliceSummary> summary =
        CheckSliceFile(folder, manifest.value(), entry, manifest.value().key_kind());
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
