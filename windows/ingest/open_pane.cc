#include "windows/ingest/open_pane.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "windows/base/allocated_bytes.h"

namespace sash {
namespace {

constexpr std::size_t kLogBytes = sizeof(PartitionLog) + kMapNodeBytes;

// Adds the times and offsets of a log's events to the account of its slice.
void Describe(const PartitionLog& log, SliceAccount& account) {
  account.least_time = std::min(account.least_time.value_or(log.least_time()), log.least_time());
  account.greatest_time =
      std::max(account.greatest_time.value_or(log.greatest_time()), log.greatest_time());
  PartitionShare& share = account.shares.at(log.partition());
  share.least = std::min(share.least, log.first_offset());
  share.greatest = std::max(share.greatest, log.last_offset());
}

}  // namespace

PartitionLog& OpenPane::LogFor(const BufferedEvent& event, std::optional<EventTime> newest_before,
                               bool keeps_places, std::size_t& bytes) {
  const auto behind = logs_.upper_bound(event.partition);
  if (behind != logs_.begin()) {
    PartitionLog& newest = std::prev(behind)->second;
    if (newest.partition() == event.partition && event.offset >= newest.last_offset()) {
      return newest;
    }
  }
  (void)account.ShareOf(event.partition, event.offset, newest_before);
  bytes += kLogBytes;
  return logs_.emplace_hint(behind, event.partition, PartitionLog(event.partition, keeps_places))
      ->second;
}

std::uint64_t OpenPane::events() const {
  std::uint64_t events = 0;
  for (const auto& [partition, log] : logs_) events += log.size();
  return events;
}

std::size_t OpenPane::log_bytes() const {
  std::size_t bytes = 0;
  for (const auto& [partition, log] : logs_) bytes += log.bytes() + kLogBytes;
  return bytes;
}

OpenTail OpenPane::Show(Position begin, bool with_ids) {
  if (!tail_) tail_ = std::make_shared<SliceTail>();
  TailEvents fresh;
  std::vector<TailId> ids;
  for (auto& [partition, log] : logs_) {
    if (log.shown() == log.size()) continue;
    fresh.Reserve(fresh.size() + log.size() - log.shown());
    log.ForEachRunFrom(
        log.shown(),
        [&](std::span<const PartitionLog::Edge> edges) {
          fresh.AddPlain(edges, partition, log.first_offset());
        },
        [&](const BufferedEvent& event) {
          if (with_ids && event.id.is_set()) {
            ids.push_back({static_cast<std::uint32_t>(fresh.size()), event.offset, event.id});
          }
          fresh.Add({.time = event.time,
                     .source = event.source,
                     .target = event.target,
                     .weight = event.weight,
                     .passes = event.passes,
                     .log_offset = log.first_offset(),
                     .partition = partition,
                     .type = event.type,
                     .operation = event.operation});
        });
    log.Show(log.size());
  }
  if (fresh.size() > 0) tail_->Show(std::move(fresh), std::move(ids));
  return {.begin = begin,
          .tail = tail_,
          .count = tail_->shown(),
          .on_time_passes = account.on_time_passes,
          .has_on_time = account.has_on_time,
          .late = account.late,
          .refused = account.refused};
}

void OpenPane::Hide() {
  tail_.reset();
  for (auto& [partition, log] : logs_) log.Show(0);
}

std::size_t OpenPane::Judge(FilterBits fresh, const NumberedTypeFilters& by_type) {
  FilterBits passed = 0;
  std::size_t grown = 0;
  for (auto& [partition, log] : logs_) {
    const PartitionLog::Judged judged = log.Judge(fresh, by_type);
    grown += judged.grown;
    passed |= judged.passed;
  }
  account.on_time_passes &= ~fresh;
  if (account.has_on_time) account.on_time_passes |= passed;
  return grown;
}

std::vector<PartitionLog*> OpenPane::Close(std::span<const std::uint32_t> ranks) {
  std::vector<PartitionLog*> sorted;
  for (auto& [partition, log] : logs_) {
    Describe(log, account);
    sorted.push_back(&log);
  }
  std::ranges::sort(sorted, {}, [&](const PartitionLog* log) {
    return std::pair(ranks[log->partition()], log->first_offset());
  });
  return sorted;
}

void OpenPane::CopyLogs(OpenSliceState& state) const {
  for (const auto& [partition, log] : logs_) {
    if (log.size() > 0) state.logs.push_back(log.Copy());
  }
}

void OpenPane::Restore(OpenSliceState& state) {
  account = std::move(state.account);
  for (PartitionLog& log : state.logs) {
    const PartitionIndex partition = log.partition();
    logs_.emplace(partition, std::move(log));
  }
}

}  // namespace sash
