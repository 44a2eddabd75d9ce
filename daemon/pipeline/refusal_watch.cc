#include "daemon/pipeline/refusal_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "daemon/log/log_events.h"

namespace sash {
namespace {

std::string_view NameAt(std::size_t reason) { return Name(static_cast<RefusalReason>(reason)); }

std::string ExampleOf(const RefusedRecord& record) {
  return fmt::format("{}/{}/{}: {}", record.topic, record.partition, record.offset, record.detail);
}

}  // namespace

std::uint64_t RefusalWatch::Sum(const Counts& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

void RefusalWatch::Refuse(const RefusedRecord& record) {
  to_.Refuse(record);
  if (record.reason == RefusalReason::kLate) return;
  const auto reason = static_cast<std::size_t>(record.reason);
  const MutexLock lock(mutex_);
  ++refused_[reason];
  for (Stretch* const stretch : {&all_, &older_, &newer_}) {
    if (stretch->first[reason].empty()) stretch->first[reason] = ExampleOf(record);
  }
}

void RefusalWatch::Look(std::uint64_t records) {
  std::optional<std::string> begins;
  bool is_over = false;
  {
    const MutexLock lock(mutex_);
    const bool was_failing = failing_.has_value();
    Judge(records);
    if (!was_failing && failing_) begins = failing_->text;
    is_over = was_failing && !failing_;
    if (records - newer_.records >= kStride) {
      older_ = std::exchange(newer_, {.records = records, .refused = refused_});
    }
  }
  if (begins) log_.Log(process_events::kNearlyAllRefused, *begins);
  if (is_over) log_.Log(process_events::kAcceptedAgain, "source: records are accepted again");
}

void RefusalWatch::Judge(std::uint64_t records) {
  Counts newest{};
  for (std::size_t i = 0; i < newest.size(); ++i) newest[i] = refused_[i] - older_.refused[i];
  const std::uint64_t refused = Sum(newest);
  // Refusals may include records that were read after `records` was measured.
  const std::uint64_t read = std::max(records - older_.records, refused);
  const bool nearly_all = read >= kLeast && refused * 100 >= read * 95;
  if (!nearly_all && refused * 100 < read * 90) failing_.reset();
  if (!nearly_all && !failing_) return;
  const auto most = static_cast<std::size_t>(std::ranges::max_element(newest) - newest.begin());
  if (!failing_ || failing_->reason != most) failing_ = {most, older_.first[most], {}};
  failing_->text = fmt::format(
      "source: {} of the newest {} records were refused, {} of them with {}, such as {}", refused,
      read, newest[most], NameAt(most), failing_->example);
}

std::optional<std::string> RefusalWatch::not_ready() const {
  const MutexLock lock(mutex_);
  if (!failing_) return std::nullopt;
  return failing_->text;
}

std::optional<std::string> RefusalWatch::WhyTooMany(std::uint64_t records,
                                                    double most_percent) const {
  const MutexLock lock(mutex_);
  const std::uint64_t refused = Sum(refused_);
  if (100 * static_cast<double>(refused) <= most_percent * static_cast<double>(records)) {
    return std::nullopt;
  }
  std::vector<std::size_t> reasons;
  for (std::size_t i = 0; i < refused_.size(); ++i) {
    if (refused_[i] > 0) reasons.push_back(i);
  }
  std::ranges::stable_sort(reasons, std::ranges::greater(),
                           [this](std::size_t reason)
                               SASH_REQUIRES(mutex_) { return refused_[reason]; });
  std::string counts;
  for (const std::size_t reason : reasons) {
    counts += fmt::format("{}{} {}", counts.empty() ? "" : ", ", refused_[reason], NameAt(reason));
  }
  return fmt::format("{} of {} records were refused, more than {}% ({}; such as {})", refused,
                     records, most_percent, counts, all_.first[reasons.front()]);
}

}  // namespace sash
