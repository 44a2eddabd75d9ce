// RefusalWatch: passes refusals on, and notices a source of which nearly nothing is accepted.
//
// A mapping that is wrong, or a producer that has changed its records, has them refused one by one:
// each is counted and in the dead letters, and nothing else would show.
//
// Thread safety: Refuse(), not_ready() and WhyTooMany() may be called from any thread; Look()
// belongs to one.
//
// Invariants
//   (1) It judges the newest 100 to 200 records, or all since the last but one Look() when more
//       have come, and no fewer than 20.
//   (2) The source is failing once 95 % of these are refused, until fewer than 90 % are.
//   (3) Late events are not refused: their records are as they should be.
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

  // Both outlive it.
  RefusalWatch(RefusalSink& to, EventLog& log) : to_(to), log_(log) {}

  void Refuse(const RefusedRecord& record) override;

  // To be called often, with how many records have been read, refused ones included. Logs when the
  // state changes.
  void Look(std::uint64_t records);

  // Why nearly nothing is accepted: the commonest reason, and its first example.
  std::optional<std::string> not_ready() const;

  // Of a source that has ended after so many records: when more than so many per cent were refused,
  // how many, why, and the first example.
  std::optional<std::string> WhyTooMany(std::uint64_t records, double most_percent) const;

 private:
  using Counts = std::array<std::uint64_t, kRefusalReasons>;
  struct Stretch {                                     // of records, from a moment on
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
  Stretch older_ SASH_GUARDED_BY(mutex_);  // what is judged
  Stretch newer_ SASH_GUARDED_BY(mutex_);
  std::optional<Failing> failing_ SASH_GUARDED_BY(mutex_);
};

}  // namespace sash
