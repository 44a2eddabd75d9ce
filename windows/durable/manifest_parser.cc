// Reads a manifest, and checks everything that the engine relies on.
#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "windows/durable/byte_text.h"
#include "windows/durable/event_sections.h"
#include "windows/durable/lane_sections.h"
#include "windows/durable/manifest.h"
#include "windows/durable/manifest_reading.h"
#include "windows/durable/manifest_sections.h"
#include "windows/durable/stream_text.h"
#include "windows/durable/window_sections.h"

namespace sash {

class ManifestParser {
 public:
  explicit ManifestParser(Manifest& manifest) : manifest_(manifest), state_(manifest.state_) {}

  Status Parse(std::optional<KeyKind> kind) {
    const SectionedFile& file = manifest_.file_;
    if (Status read = ReadStream(); !read) return read;
    if (Status read = ReadIfThere(file, kJournalSection, "journal section is malformed",
                                  [&](ByteReader& reader) { GetJournal(reader, state_); });
        !read) {
      return read;
    }
    if (const auto mapping = file.Find(kMappingSection)) {
      state_.mapping = std::string(mapping.value());
    }
    if (Status read =
            ReadIfThere(file, kAnchorSection, "newest records of partitions are malformed",
                        [&](ByteReader& reader) { GetAnchors(reader, state_); });
        !read) {
      return read;
    }
    const Result<std::string_view> keys = file.Find(kOpenKeySection);
    if (!keys) return keys.error();
    Result<KeyTable> table = KeyTable::Parse(keys.value(), kind);
    if (!table) return table.error();
    manifest_.keys_ = std::move(table).value();
    if (Status read = ReadLanes(file, manifest_.keys_, partitions_, state_, manifest_.logs_);
        !read) {
      return read;
    }
    if (Status read = ReadWindowSections(file, state_); !read) return read;
    if (Status read = ReadEventSections(file, state_, manifest_.logs_); !read) return read;
    if (Status coherent = CheckCoherent(state_); !coherent) return coherent;
    return ReadSlices();
  }

 private:
  Status ReadStream() {
    const Result<std::string_view> bytes = manifest_.file_.Find(kStreamSection);
    if (!bytes) return bytes.error();
    ByteReader reader(bytes.value());
    GetStream(reader, state_);
    for (PartitionIndex p = 0; p < state_.partitions.size(); ++p) {
      if (partitions_.Index(state_.partitions[p].pair) != p) {
        return MalformedManifest("partitions are named twice");
      }
    }
    if (!reader.done()) return MalformedManifest("stream is malformed");
    return Ok{};
  }

  // Exactly the retained slices have files.
  Status ReadSlices() {
    const Result<std::string_view> bytes = manifest_.file_.Find(kSliceSection);
    if (!bytes) return bytes.error();
    ByteReader reader(bytes.value());
    constexpr std::size_t kEntryBytes = 36;
    const std::size_t count = reader.GetCount(kEntryBytes);
    std::uint64_t retained = 0;
    for (const LaneState& lane : state_.lanes) retained += lane.retained;
    std::set<std::pair<std::uint64_t, std::uint64_t>> seen;
    for (std::size_t i = 0; i < count; ++i) {
      SliceEntry& entry = manifest_.slices_.emplace_back();
      entry.lane = reader.Get<std::uint64_t>();
      entry.id = reader.Get<std::uint64_t>();
      entry.file = reader.Get<std::uint64_t>();
      entry.stamp.bytes = reader.Get<std::uint64_t>();
      entry.stamp.crc = reader.Get<std::uint32_t>();
      const auto lane = std::ranges::find(state_.lanes, entry.lane, &LaneState::serial);
      if (lane == state_.lanes.end() || entry.id < lane->first_retained() ||
          entry.id >= lane->slicer.next_id || !seen.insert({entry.lane, entry.id}).second) {
        return MalformedManifest("list of slices names one that no lane retains");
      }
    }
    if (!reader.done() || seen.size() != retained) {
      return MalformedManifest("list of slices lacks one that a lane retains");
    }
    return Ok{};
  }

  Manifest& manifest_;
  EngineState& state_;
  PartitionTable partitions_;  // of the manifest
};

Result<Manifest> Manifest::Parse(SectionedFile file, std::optional<KeyKind> kind) {
  Manifest manifest(std::move(file));
  if (Status parsed = ManifestParser(manifest).Parse(kind); !parsed) return parsed.error();
  return manifest;
}

}  // namespace sash
