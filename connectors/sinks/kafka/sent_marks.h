// SentMarks: records which results a topic contains, as text that its group commits together with
// them.
//
// The results of an origin pass through an outbox in the order of their positions. So per origin it
// is enough to know the newest result, and the first one that came through the same outbox. When
// another process with another outbox takes over, results that are still in the first outbox are
// not in the topic, although they are older than the newest result there. So the gap between the
// two outboxes is remembered, until a third outbox follows.
//
// Thread safety: none.
//
// Invariants
//   (1) Holds() is true for noted results, and for results between two noted results of the same
//       outbox; for no other results.
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

  bool Holds(const ResultIdentity& result) const;

  // Notes that `result` gets into the topic through `outbox`. Holds(result) must be false.
  void Note(const ResultIdentity& result, const std::string& outbox);

  std::size_t origins() const { return marks_.size(); }

  // The name of the process that commits the marks: a new name at each takeover.
  const std::string& by() const { return by_; }
  void SetBy(std::string by) { by_ = std::move(by); }

  // Formats the marks as `texts` texts of at most kMaxBytes each; unneeded texts are empty. No
  // value when they do not fit.
  std::optional<std::vector<std::string>> Format(std::size_t texts) const;

  // Adds the marks in a text; false when the text is not from Format().
  bool Add(std::string_view text);

 private:
  struct Mark {
    std::string outbox;
    std::int64_t newest = 0;
    std::int64_t first = 0;                // the first that came through this outbox
    std::optional<std::int64_t> before{};  // the newest that earlier came through another outbox
  };

  std::map<ResultOrigin, Mark> marks_;
  std::string by_;
};

}  // namespace sash
