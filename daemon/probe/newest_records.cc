#include "daemon/probe/newest_records.h"

#include <algorithm>
#include <map>

namespace sash {

ReadTrouble ReadNewestRecords(ConsumerHandle& consumer,
                              const std::vector<ProbedPartition>& partitions, std::int64_t offsets,
                              const std::function<bool(const KafkaRecord&)>& take) {
  ReadTrouble trouble;
  std::map<TopicPartition, std::int64_t> open;  // partitions still being read, with their ends
  std::vector<PartitionOffset> positions;
  for (const auto& [pair, bounds] : partitions) {
    if (bounds.low == bounds.high) continue;
    open.emplace(pair, bounds.high);
    positions.push_back({pair, std::max(bounds.low, bounds.high - offsets), {}});
  }
  if (const Status assigned = consumer.Assign(positions); !assigned) {
    trouble.text = assigned.error().message;
    return trouble;
  }
  const auto deadline = std::chrono::steady_clock::now() + kTopicPatience;
  bool wants_more = true;
  while (wants_more && !open.empty() && std::chrono::steady_clock::now() < deadline) {
    const Polled* polled = consumer.Poll(std::chrono::milliseconds(100));
    consumer.ServeCallbacks();
    if (polled == nullptr) continue;
    const auto end = open.find({std::string(polled->record.topic), polled->record.partition});
    if (polled->kind == Polled::Kind::kRecord) {
      wants_more = take(polled->record);
      if (end != open.end() && polled->record.offset + 1 >= end->second) open.erase(end);
      continue;
    }
    if (polled->kind != Polled::Kind::kEnd) trouble = {polled->identity, polled->text};
    if (end != open.end()) open.erase(end);
  }
  static_cast<void>(consumer.Assign({}).ok());  // nothing more is fetched
  return trouble;
}

}  // namespace sash
