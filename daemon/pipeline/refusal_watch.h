// RefusalWatch: passes refusals on, and detects a source from which nearly nothing is accepted.
//
// With a wrong mapping, or after a producer has changed its records, the records are refused one by
// one: each is counted and added to the dead letters, and there would be no other sign.
//
// Thread safety: Refuse(), not_ready() and WhyTooMany() may be called from any thread; Look()
// belongs to one.
//
// Invariants
//   (1) It judges at least 20 records: the newest 100 to 200 (fewer at the start), or, when more
//       have come between two calls of Look(), all since the last call but one.
//   (2) The source is failing once 95 % of these are refused, until fewer than 90 % are.
//   (3) Late events do not count as refused: their records are valid.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "windows/base/event_log.h"
#include "windows/base/mutex.h"
#include "windows/ingest/refusal.h"

namespace sash {

class RefusalWatch final : public RefusalSink {
 public:
  static constexpr std::uint64_t kStride = 100;  // records
  static constexpr std::uint64_t kLeast = 20;

  // Both arguments outlive it.
  RefusalWatch(RefusalSink& to, EventLog& log) : to_(to), log_(log) {}

  void Refuse(const RefusedRecord& record) override;

  // Call it often, with the number of records read, including refused ones. Logs when the state
  // changes.
  void Look(std::uint64_t records);

  // Why nearly nothing is accepted: the most common reason, and its first example.
  std::optional<std::string> not_ready() const;

  // For a source that has ended after `records` records: if more than `most_percent` were refused,
  // how many, why, and the first example.
  std::optional<std::string> WhyTooMany(std::uint64_t records, double most_percent) const;

 private:
  using Counts = std::array<std::uint64_t, kRefusalReasons>;
  struct Stretch {                                     // of records, from some moment on
    std::uint64_t records = 0;                         // before it
    Counts refused{};                                  // before it
    std::array<std::string, kRefusalReasons> first{};  // examples, after it
  };
  struct Failing {
    std::size_t reason;
    std::string example;
    std::string text;
  };
  static std::uint64_t Sum(const Counts& counts);
  void Judge(std::uint64_t records) SASH_REQUIRES(mutex_);

  RefusalSink& to_;
  EventLog& log_;
  mutable Mutex mutex_;
  Counts refused_ SASH_GUARDED_BY(mutex_){};
  Stretch all_ SASH_GUARDED_BY(mutex_);
  Stretch older_ SASH_GUARDED_BY(mutex_);  // the records that are judged
  Stretch newer_ SASH_GUARDED_BY(mutex_);
  std::optional<Failing> failing_ SASH_GUARDED_BY(mutex_);
};

}  // namespace sash
