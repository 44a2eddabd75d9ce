// RewindMetadata: the metadata of a commit, as text of at most kMaxBytes:
//   {"v":1,"newest":<ns or null>,"published":{"<window>":<end>},"gap":<ns or null>,
//    "accepted":<number or null>} and, if there are any, "silent":["<window>"],
//    "joined":["<window>"], "by":"<claim>", "last":[<offset>,<timestamp or null>,<CRC-32C>]
//
// The commits of all partitions have the same text, except `newest` and `last`.
//
// Thread safety: pure functions.
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
  std::set<std::string> silent{};  // those of `published` that are in silence (NewestWindow)
  std::set<std::string> joined{};  // those that have only joined (NewestWindow)
  std::optional<EventTime> gap_until;
  std::optional<std::int64_t> accepted_before{};
  std::string by{};                    // GroupClaim::name(), at most 16 bytes; empty: not known
  std::optional<RecordAnchor> last{};  // the newest applied record of the partition
  friend bool operator==(const RewindMetadata&, const RewindMetadata&) = default;
};

// The part of `point` that is the same for all partitions. The caller sets `newest_before`, `by`
// and `last`.
RewindMetadata ToMetadata(const RewindPoint& point);

// The text, never longer than kMaxBytes. Windows that do not fit are left out, the last names
// first. After a restart their newest windows are published again with the same identity, which
// sinks recognise. `left_out`, if given, receives their number.
std::string FormatRewindMetadata(const RewindMetadata& metadata, std::size_t* left_out = nullptr);

// Nothing when the text is not ours or of another version.
std::optional<RewindMetadata> ParseRewindMetadata(std::string_view text);

// Merges the commits of several partitions: for each window the least end, and whether the window
// was in silence or had only joined then; only windows that all commits name (an absent element
// names none); the latest gap; the least number of events accepted before.
void MergeRewindMetadata(std::span<const std::optional<RewindMetadata>> partitions,
                         RewindPoint& point);

}  // namespace sash
