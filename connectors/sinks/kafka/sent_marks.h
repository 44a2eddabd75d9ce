// SentMarks: records which results a topic contains, as text that its group commits together with
// them.
//
// The results of an origin pass through an outbox in the order of their positions. So per origin it
// is enough to know the newest result, and the first one that came through the same outbox. When
// another process with another outbox takes over, results that are still in the first outbox are
// not in the topic, although they are older than the newest result there. So the marks are ranges
// of positions, with gaps between them.
//
// Thread safety: none.
//
// Invariants
//   (1) Holds() is true for noted results, and for results between two noted results of the same
//       outbox. A result older than all noted ones is not held: it is sent.
//   (2) At most kMostEarlier ranges before the newest are kept for an origin. After more changes of
//       outbox, the oldest gap is forgotten: the results in it count as sent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "connectors/sinks/result_key.h"

namespace sash {

class SentMarks {
 public:
  static constexpr std::size_t kMaxBytes = 4096;  // the broker's default offset.metadata.max.bytes
  static constexpr std::size_t kMostEarlier = 3;

  bool Holds(const ResultIdentity& result) const;

  // Notes that `result` gets into the topic through `outbox`. Holds(result) must be false.
  void Note(const ResultIdentity& result, const std::string& outbox);

  std::size_t origins() const { return marks_.size(); }

  // The name of the process that commits the marks: a new name at each takeover.
  const std::string& by() const { return by_; }
  void SetBy(std::string by) { by_ = std::move(by); }

  // Formats the marks as `texts` texts of at most kMaxBytes each; unneeded texts are empty. If they
  // do not fit, gaps are left out as in (2), the oldest first, and at last the place where the
  // oldest range begins. No value when they do not fit even then.
  std::optional<std::vector<std::string>> Format(std::size_t texts) const;

  // Adds the marks in a text; false when the text is not from Format().
  bool Add(std::string_view text);

 private:
  struct Range {
    std::int64_t first = 0;
    std::int64_t newest = 0;
    bool Holds(std::int64_t position) const { return position >= first && position <= newest; }
  };
  struct Mark {
    std::string outbox;
    Range range;                   // of the results that came through this outbox last
    std::vector<Range> earlier{};  // ascending, all before `range`
  };

  static void JoinRanges(std::size_t most, std::size_t at, std::vector<Range>& ranges);
  std::optional<std::vector<std::string>> FormatWith(std::size_t most_earlier,
                                                     std::size_t texts) const;

  std::map<ResultOrigin, Mark> marks_;
  std::string by_;
};

}  // namespace sash
