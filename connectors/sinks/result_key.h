// ResultIdentity: which result, or alert on a result, a text is about; and its key as JSON.
//
// Thread safety: values and pure functions.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "windows/jobs/run_result.h"

namespace sash {

// The beginning of every key.
inline constexpr std::string_view kResultKeyHead = R"({"job":)";

// An identity without its position.
struct ResultOrigin {
  std::string job;
  std::string window;
  bool counted = false;   // window by events: position is the last accepted event's number
  std::string alert{};    // of an alert on the result; empty: the result itself
  std::string subject{};  // of the alert
  friend auto operator<=>(const ResultOrigin&, const ResultOrigin&) = default;
};

struct ResultIdentity {
  ResultOrigin origin;
  std::int64_t position = 0;  // see `counted`; otherwise the window's end in nanoseconds
  std::string cut{};          // of a result that is not final: its cut, as JSON; else empty
  bool is_past = false;       // of a result that a user asked for later (RunResult::past)

  // Whether it is one of the results that the job gives by itself, once each, and not a further
  // result beside them.
  bool is_in_series() const { return cut.empty() && !is_past; }
  friend bool operator==(const ResultIdentity&, const ResultIdentity&) = default;
};

ResultIdentity IdentityOf(const RunResult& result);

// The identity of a result (windows/semantics.md) as one JSON object: {"job", "window",
// "window_end"}; for windows by events, the last member is "accepted". An alert has the members
// "alert" and "subject" before the last. The identity of a result that is not final ends with its
// "cut"; that of a result on an earlier window, which a user asked for, with "past". The same
// result always has the same key, so a replay overwrites the earlier message in a topic (with
// compaction).
std::string ResultKey(const ResultIdentity& result);
std::string ResultKey(const RunResult& result);

// The same for a row of a result, by its number (from 1): the last member is "row".
std::string RowKey(const std::string& result_key, std::size_t row);

// The identity of the result with this key, or of the result whose row has it. No value if the text
// is not such a key.
std::optional<ResultIdentity> IdentityOfKey(std::string_view key);

}  // namespace sash
