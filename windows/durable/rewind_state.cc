#include "windows/durable/rewind_state.h"

#include <algorithm>
#include <utility>

#include "windows/base/check.h"
#include "windows/durable/byte_text.h"
#include "windows/durable/key_table.h"
#include "windows/durable/manifest.h"
#include "windows/durable/manifest_sections.h"
#include "windows/durable/numbered_name.h"

namespace sash {
namespace {

constexpr std::string_view kPrefix = "rewind-";
constexpr const char* kNextName = "rewind.next";

std::string EncodeSafe(const RewindPoint& safe) {
  ByteWriter writer;
  writer.Put(static_cast<std::uint64_t>(safe.positions.size()));
  for (const RewindPosition& position : safe.positions) {
    writer.Put(position.partition);
    writer.Put(position.offset);
  }
  writer.Put(static_cast<std::uint64_t>(safe.published.size()));
  for (const auto& [window, end] : safe.published) {
    const auto newest = safe.newest.find(window);
    SASH_CHECK(newest != safe.newest.end());
    writer.PutText(window);
    writer.Put(end);
    writer.Put(newest->second.snapshot);
    writer.Put(static_cast<std::uint8_t>(newest->second.in_silence));
  }
  return std::move(writer).Take();
}

std::string EncodeSafeJoined(const RewindPoint& safe) {
  ByteWriter writer;
  for (const auto& [window, newest] : safe.newest) {
    if (newest.only_joined) writer.PutText(window);
  }
  return std::move(writer).Take();
}

// Each window that is named must be in `safe`.
Status ParseSafeJoined(std::string_view bytes, RewindPoint& safe) {
  ByteReader reader(bytes);
  while (!reader.done()) {
    const auto newest = safe.newest.find(std::string(reader.GetText()));
    if (newest == safe.newest.end()) {
      return Error{ErrorCode::kCorruption, "the list of windows that joined is malformed"};
    }
    newest->second.only_joined = true;
  }
  return Ok{};
}

Result<RewindPoint> ParseSafe(std::string_view bytes, const EngineState& state) {
  ByteReader reader(bytes);
  RewindPoint safe;
  constexpr std::size_t kPositionBytes = sizeof(PartitionIndex) + sizeof(std::int64_t);
  for (std::size_t left = reader.GetCount(kPositionBytes); left > 0; --left) {
    RewindPosition& position = safe.positions.emplace_back();
    position.partition = reader.Get<PartitionIndex>();
    position.offset = reader.Get<std::int64_t>();
    if (position.partition >= state.partitions.size()) reader.Refuse();
  }
  constexpr std::size_t kLeastWindow = 25;
  for (std::size_t left = reader.GetCount(kLeastWindow); left > 0; --left) {
    const std::string window(reader.GetText());
    safe.published[window] = reader.Get<std::int64_t>();
    NewestWindow& newest = safe.newest[window];
    newest.snapshot = reader.Get<std::uint64_t>();
    newest.in_silence = reader.GetBool();
  }
  if (reader.done()) return safe;
  return Error{ErrorCode::kCorruption, "the list of safe results is malformed"};
}

}  // namespace

std::string RewindStateName(std::uint64_t number) { return NumberedName(kPrefix, number); }

std::optional<std::uint64_t> RewindStateNumber(std::string_view name) {
  return NumberIn(name, kPrefix);
}

Status WriteRewindState(Folder& folder, const EngineState& state, const RewindPoint& safe,
                        const VertexDictionary& keys) {
  KeyNumbering none(keys);
  std::vector<FileSection> sections = EncodeManifest(state, {}, none);
  sections.push_back({kSafeSection, EncodeSafe(safe)});
  if (std::string joined = EncodeSafeJoined(safe); !joined.empty()) {
    sections.push_back({kSafeJoinedSection, std::move(joined)});
  }
  const Result<FileStamp> written =
      SectionedFile::WriteUnsynced(folder, kNextName, FileKind::kRewindState, sections);
  if (!written) return written.error();
  return folder.Rename(kNextName, RewindStateName(state.journal));
}

namespace {

Result<RewindState> StateOf(SectionedFile file, std::optional<KeyKind> kind) {
  const Result<std::string_view> found = file.Find(kSafeSection);
  if (!found) return found.error();
  const std::string safe(found.value());
  const Result<std::string_view> found_joined = file.Find(kSafeJoinedSection);
  const std::string joined(found_joined ? found_joined.value() : "");
  Result<Manifest> manifest = Manifest::Parse(std::move(file), kind);
  if (!manifest) return manifest.error();
  RewindState state{.state = std::move(manifest).value().TakeStateWithoutEvents(), .safe = {}};
  for (const LaneState& lane : state.state.lanes) {
    const auto is_empty = [](const OpenSliceState& open) {
      return open.logs.empty() && open.account.shares.empty();
    };
    const SlicerState& slicer = lane.slicer;
    if (lane.retained == 0 && std::ranges::all_of(slicer.open, is_empty) && !slicer.waiting) {
      continue;
    }
    return Error{ErrorCode::kCorruption, "it has events, but a state of this kind must not"};
  }
  Result<RewindPoint> point = ParseSafe(safe, state.state);
  if (!point) return point.error();
  if (Status read = ParseSafeJoined(joined, point.value()); !read) return read.error();
  state.safe = std::move(point).value();
  return state;
}

}  // namespace

Result<RewindState> ParseRewindState(std::string text, std::optional<KeyKind> kind) {
  Result<SectionedFile> file = SectionedFile::Parse(std::move(text), FileKind::kRewindState);
  if (!file) return file.error();
  return StateOf(std::move(file).value(), kind);
}

Result<RewindState> ReadRewindState(const Folder& folder, std::uint64_t number,
                                    std::optional<KeyKind> kind) {
  const std::string name = RewindStateName(number);
  Result<SectionedFile> file = SectionedFile::Read(folder, name, FileKind::kRewindState);
  if (!file) return file.error();
  Result<RewindState> state = StateOf(std::move(file).value(), kind);
  const std::string path = folder.path() + "/" + name;
  if (!state) return std::move(state).error().Within(path);
  if (state.value().state.journal != number) {
    return Error{ErrorCode::kCorruption, path + ": its state has another number"};
  }
  return state;
}

bool ReachesBack(const std::vector<PartitionState>& partitions, const RewindState& newest) {
  return std::ranges::all_of(newest.safe.positions, [&](const RewindPosition& position) {
    const TopicPartition& pair = newest.state.partitions[position.partition].pair;
    const auto stood = std::ranges::find(partitions, pair, &PartitionState::pair);
    return stood != partitions.end() && stood->next_offset &&
           *stood->next_offset <= position.offset;
  });
}

}  // namespace sash
