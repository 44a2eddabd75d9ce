#include "windows/durable/window_sections.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "windows/durable/byte_text.h"
#include "windows/durable/history_text.h"
#include "windows/durable/manifest_reading.h"
#include "windows/durable/manifest_sections.h"
#include "windows/durable/window_text.h"

namespace sash {
namespace {

// Adds a section with a number for each window, lane by lane, unless all numbers are 0.
template <typename NumberOf>
void AddOfWindows(const EngineState& state, ManifestSection section, const NumberOf& number_of,
                  std::vector<FileSection>& sections) {
  ByteWriter writer;
  bool is_needed = false;
  for (const LaneState& lane : state.lanes) {
    for (const WindowState& window : lane.windows) {
      const auto number = number_of(window);
      is_needed = is_needed || number != 0;
      writer.Put(number);
    }
  }
  if (is_needed) sections.push_back({section, std::move(writer).Take()});
}

std::int64_t OffsetOf(const WindowState& window) { return window.spec.offset; }

std::uint8_t IdentityOf(const WindowState& window) {
  static_assert(static_cast<int>(EdgeIdentity::kPair) == 0);
  return static_cast<std::uint8_t>(window.spec.identity);
}

std::uint8_t JoinedOf(const WindowState& window) { return window.state.only_joined ? 1 : 0; }

// The histories of all windows, lane by lane.
void PutHistories(const EngineState& state, ByteWriter& writer) {
  for (const LaneState& lane : state.lanes) {
    for (const WindowState& window : lane.windows) PutHistory(window.history, writer);
  }
}

bool HasHistory(const LaneState& lane) {
  return std::ranges::any_of(lane.windows,
                             [](const WindowState& window) { return !window.history.empty(); });
}

// Calls `read` for each window, lane by lane. When the section is missing, every window keeps the
// default.
template <typename Read>
Status ReadOfWindows(const SectionedFile& file, ManifestSection section, const char* malformed,
                     EngineState& state, const Read& read) {
  return ReadIfThere(file, section, malformed, [&](ByteReader& reader) {
    for (LaneState& lane : state.lanes) {
      for (WindowState& window : lane.windows) read(reader, std::as_const(lane), window);
    }
  });
}

Status ReadOffsets(const SectionedFile& file, EngineState& state) {
  return ReadOfWindows(file, kOffsetSection, "offsets of windows are malformed", state,
                       [](ByteReader& reader, const LaneState& lane, WindowState& window) {
                         window.spec.offset = reader.Get<std::int64_t>();
                         if (!HasSoundOffset(window.spec, lane)) reader.Refuse();
                       });
}

Status ReadIdentities(const SectionedFile& file, EngineState& state) {
  return ReadOfWindows(file, kIdentitySection, "identities of edges are malformed", state,
                       [](ByteReader& reader, const LaneState&, WindowState& window) {
                         window.spec.identity = static_cast<EdgeIdentity>(reader.GetBelow(2));
                       });
}

Status ReadJoined(const SectionedFile& file, EngineState& state) {
  return ReadOfWindows(file, kJoinedSection, "windows that joined are malformed", state,
                       [](ByteReader& reader, const LaneState&, WindowState& window) {
                         window.state.only_joined = reader.GetBool();
                       });
}

Status ReadHistories(const SectionedFile& file, EngineState& state) {
  return ReadOfWindows(file, kHistorySection, "history of windows is malformed", state,
                       [](ByteReader& reader, const LaneState& lane, WindowState& window) {
                         window.history = GetHistory(lane, window, reader);
                         if (!window.history.empty() && !window.spec.is_historian()) {
                           reader.Refuse();
                         }
                       });
}

}  // namespace

void AddWindowSections(const EngineState& state, std::vector<FileSection>& sections) {
  AddOfWindows(state, kOffsetSection, OffsetOf, sections);
  AddOfWindows(state, kIdentitySection, IdentityOf, sections);
  AddOfWindows(state, kJoinedSection, JoinedOf, sections);
  if (std::ranges::any_of(state.lanes, HasHistory)) {
    ByteWriter histories;
    PutHistories(state, histories);
    sections.push_back({kHistorySection, std::move(histories).Take()});
  }
}

Status ReadWindowSections(const SectionedFile& file, EngineState& state) {
  if (Status read = ReadOffsets(file, state); !read) return read;
  if (Status read = ReadIdentities(file, state); !read) return read;
  if (Status read = ReadJoined(file, state); !read) return read;
  return ReadHistories(file, state);
}

}  // namespace sash
