#include "windows/durable/window_text.h"

#include <cstdint>
#include <limits>
#include <string>

namespace sash {
namespace {

// The window that ends at `end` must begin within 64 bits.
bool HasBegin(const WindowSpec& spec, Position end) {
  return !spec.length || end >= std::numeric_limits<Position>::min() + *spec.length;
}

}  // namespace

void PutWindow(const WindowState& window, ByteWriter& writer) {
  const WindowSpec& spec = window.spec;
  writer.PutText(spec.name);
  writer.PutOptional(spec.length);
  writer.Put(spec.slide);
  writer.Put(static_cast<std::uint8_t>(spec.duplicates));
  writer.Put(static_cast<std::uint8_t>(spec.implementation));
  writer.Put(static_cast<std::uint8_t>(spec.empty_windows));
  writer.Put(static_cast<std::uint8_t>(spec.removals));
  writer.Put(window.state.slices);
  writer.PutOptional(window.state.next_end);
  writer.PutOptional(window.state.published_until);
  writer.PutOptional(window.state.first_slice);
  writer.PutOptional(window.state.complete_from);
  writer.Put(static_cast<std::uint8_t>(window.state.in_silence));
  writer.Put(window.state.snapshots);
}

WindowState GetWindow(WindowAxis axis, ByteReader& reader) {
  WindowState window;
  WindowSpec& spec = window.spec;
  spec.by = axis;
  spec.name = std::string(reader.GetText());
  spec.length = reader.GetOptional<std::int64_t>();
  spec.slide = reader.Get<std::int64_t>();
  spec.duplicates = static_cast<DuplicatesPolicy>(reader.GetBelow(3));
  spec.implementation = static_cast<StoreKind>(reader.GetBelow(3));
  spec.empty_windows = static_cast<EmptyWindows>(reader.GetBelow(2));
  spec.removals = reader.GetBool();
  window.state.slices = reader.Get<std::uint64_t>();
  window.state.next_end = reader.GetOptional<Position>();
  window.state.published_until = reader.GetOptional<Position>();
  window.state.first_slice = reader.GetOptional<Position>();
  window.state.complete_from = reader.GetOptional<Position>();
  window.state.in_silence = reader.GetBool();
  window.state.snapshots = reader.Get<std::uint64_t>();
  return window;
}

bool IsSound(const WindowState& window, const LaneState& lane) {
  const WindowSpec& spec = window.spec;
  const Position step = spec.leader() ? lane.pane : spec.slide;  // a follower: its leader's slide
  const bool is_historian = spec.leader() && spec.length;
  return spec.slide > 0 && spec.slide % lane.pane == 0 &&
         (spec.implementation != StoreKind::kArchive || is_historian) &&
         (!spec.length || (*spec.length > 0 && *spec.length % step == 0)) &&
         HasBegin(spec, window.state.published_until.value_or(0)) &&
         window.state.slices <= lane.retained;
}

bool HasSoundOffset(const WindowSpec& spec, const LaneState& lane) {
  if (lane.axis == WindowAxis::kEvents) return spec.offset == 0;
  return spec.offset >= 0 && spec.offset < spec.slide && FitsPane(spec, lane.pane);
}

}  // namespace sash
