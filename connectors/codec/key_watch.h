// KeyWatch: checks the first edges of a run for keys that are probably not vertices.
//
// It reports
//   - a word for a missing value, such as NULL or n/a, in at least 2 % of the edges and in at least
//     3 (0: in at least 30 % of 20 or more edges, because 0 may be a real vertex);
//   - any other key in at least 90 % of 50 or more edges: the mapping probably names the wrong
//     field, because real hubs have a smaller share;
//   - an edge whose two keys are field names (from, to), or a first edge of two words before at
//     least 5 edges that all have numbers as keys: a header that was read as a row;
//   - rows that begin with #, % or //, if at most half of the rows do: comments.
//
// Thread safety: owned by one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "windows/ingest/event_batch.h"

namespace sash {

class KeyWatch {
 public:
  // It checks this number of records, the first edge of each. Refused ones are included, filtered
  // ones are not.
  static constexpr std::size_t kRecords = 1000;

  explicit KeyWatch(KeyKind keys) : keys_(keys) {}

  // Does nothing once IsDone().
  void Look(const EventBatch& batch);

  // True after kRecords, or at the end of a finite source.
  bool IsDone() const { return done_; }

  // One sentence per warning, at most kMostWarnings.
  std::vector<std::string> Warnings() const;

 private:
  static constexpr std::size_t kMostWarnings = 5;
  static constexpr std::size_t kLongestKey = 100;  // longer keys are not counted

  void LookAt(const EdgeEvent& event, const EventBatch& batch);
  void LookForHeader(std::string_view source, std::string_view target, std::int64_t offset);
  std::string KeyText(KeyRef key, const EventBatch& batch) const;

  const KeyKind keys_;
  std::size_t records_ = 0;
  std::size_t edges_ = 0;
  bool done_ = false;
  std::unordered_map<std::string, std::size_t> edges_of_;  // by key
  std::size_t comments_ = 0;
  std::string first_comment_;
  std::string header_;       // an edge that looks like a header; empty: none
  std::string first_words_;  // the first edge, if its keys are words
  std::size_t edges_of_numbers_ = 0;
};

}  // namespace sash
