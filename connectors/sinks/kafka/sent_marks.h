// SentMarks: which results a topic has, as text that its group commits together with them.
//
// The results of an origin come in the order of their positions, by way of an outbox. So of each
// origin it is enough to know the newest one, and since when they came by that outbox. When another
// process with an outbox of its own takes over, what the first outbox still holds is not in the
// topic, though it is older than what is: so the stretch between the two is remembered, until
// a third outbox follows.
//
// Thread safety: none.
//
// Invariants
//   (1) Holds() is true of what was noted, and of what lies between two noted results of the same
//       outbox; of nothing else.
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

  // It gets into the topic, by way of `outbox`. Not one that it holds.
  void Note(const ResultIdentity& result, const std::string& outbox);

  std::size_t origins() const { return marks_.size(); }

  // Who commits it: another one each time that somebody takes over.
  const std::string& by() const { return by_; }
  void SetBy(std::string by) { by_ = std::move(by); }

  // As that many texts of at most kMaxBytes; those that are not needed are empty. Nothing when that
  // is not enough.
  std::optional<std::vector<std::string>> Format(std::size_t texts) const;

  // Takes what a text says; false when it is none of these.
  bool Add(std::string_view text);

 private:
  struct Mark {
    std::string outbox;
    std::int64_t newest = 0;
    std::int64_t first = 0;                // that came by it
    std::optional<std::int64_t> before{};  // the newest that another one had brought until then
  };

  std::map<ResultOrigin, Mark> marks_;
  std::string by_;
};

}  // namespace sash
