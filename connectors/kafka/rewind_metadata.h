// RewindMetadata: what a commit says beside its offset, as text of at most kMaxBytes:
//   {"v":1,"newest":<ns or null>,"published":{"<window>":<end>},"gap":<ns or null>,
//    "accepted":<number or null>} and, where there are any, "silent":["<window>"], "by":"<who>",
//    "last":[<offset>,<timestamp or null>,<CRC-32C>]
//
// Every partition's commit carries the same, but its own `newest` and `last`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "windows/base/clock.h"
#include "windows/ingest/record_anchor.h"
#include "windows/ingest/rewind_point.h"

namespace sash {

struct RewindMetadata {
  static constexpr std::size_t kMaxBytes = 4096;  // the broker's default offset.metadata.max.bytes

  std::optional<EventTime> newest_before;
  std::map<std::string, std::int64_t> published;
  std::set<std::string> silent{};  // of these, which are in silence (NewestWindow)
  std::optional<EventTime> gap_until;
  std::optional<std::int64_t> accepted_before{};
  std::string by{};  // GroupClaim::name(), at most 16 bytes; empty: it is not said
  std::optional<RecordAnchor> last{};  // the newest record of the partition that was applied
  friend bool operator==(const RewindMetadata&, const RewindMetadata&) = default;
};

// What every partition's commit says of `point`; `newest_before`, `by` and `last` are still to be
// said.
RewindMetadata ToMetadata(const RewindPoint& point);

// The text, never longer than kMaxBytes. Windows that do not fit are left out, the last names
// first: after a restart their newest windows are published again, with the same identity, which
// sinks recognise. `left_out`, if given, receives how many those are.
std::string FormatRewindMetadata(const RewindMetadata& metadata, std::size_t* left_out = nullptr);

// Nothing when the text is not ours or of another version.
std::optional<RewindMetadata> ParseRewindMetadata(std::string_view text);

// What several partitions' commits say together: of each window the least end and whether it was in
// silence then, and only windows that all of them name (an absent element names none); of the gaps
// the latest, of the events accepted before the least.
void MergeRewindMetadata(std::span<const std::optional<RewindMetadata>> partitions,
                         RewindPoint& point);

}  // namespace sash
