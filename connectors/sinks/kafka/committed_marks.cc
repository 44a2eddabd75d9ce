#include "connectors/sinks/kafka/committed_marks.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "connectors/kafka/consumer_handle.h"
#include "connectors/sinks/kafka/producer_options.h"

namespace sash {

Result<CommittedMarks> CommittedMarks::Read(const KafkaDestination& to, const std::string& group,
                                            std::chrono::milliseconds patience) {
  KafkaSpec spec = ReaderOf(to);
  spec.group = group;
  Result<std::unique_ptr<ConsumerHandle>> reader = ConsumerHandle::Open(spec);
  if (!reader) return std::move(reader).error();
  const Result<std::int32_t> count = reader.value()->brokers().PartitionCount(to.topic, patience);
  if (!count) return count.error();
  CommittedMarks read;
  std::vector<TopicPartition> pairs;
  for (std::int32_t i = 0; i < count.value(); ++i) {
    pairs.push_back({to.topic, i});
    read.partitions_.push_back({{to.topic, i}, 0, {}});
  }
  const auto commits = reader.value()->brokers().Committed(pairs, patience);
  if (!commits) return commits.error();
  for (const PartitionOffset& commit : commits.value()) {
    if (!read.marks.Add(commit.metadata)) {
      return Error{ErrorCode::kCorruption,
                   fmt::format("the commit of group {} for {} [{}] was not written by sash; set "
                               "another transactional_id",
                               group, to.topic, commit.pair.partition)};
    }
    read.partitions_[static_cast<std::size_t>(commit.pair.partition)] = commit;
  }
  return read;
}

void CommittedMarks::At(std::int32_t partition, std::int64_t offset) {
  const auto at = static_cast<std::size_t>(partition);
  // A partition that was added since Read() counts only after the next start.
  if (partition >= 0 && at < partitions_.size()) partitions_[at].offset = offset + 1;
}

Result<std::vector<PartitionOffset>> CommittedMarks::Offsets() const {
  auto texts = marks.Format(partitions_.size());
  if (!texts) {
    return Error{ErrorCode::kOverloaded,
                 fmt::format("the marks of {} jobs do not fit into {} partitions; give the topic "
                             "more partitions, or move some jobs to another sink",
                             marks.origins(), partitions_.size())};
  }
  std::vector<PartitionOffset> offsets = partitions_;
  for (std::size_t i = 0; i < offsets.size(); ++i) offsets[i].metadata = std::move((*texts)[i]);
  return offsets;
}

}  // namespace sash
