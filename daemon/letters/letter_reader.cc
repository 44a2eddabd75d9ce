#include "daemon/letters/letter_reader.h"

#include <fmt/format.h>

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <system_error>
#include <utility>
#include <vector>

#include "connectors/kafka/consumer_handle.h"
#include "connectors/sinks/kafka/letter_topic.h"
#include "connectors/sinks/kafka/producer_options.h"

namespace sash {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr seconds kQuestion{10};
constexpr seconds kReadingPatience{30};  // without a record

TopicMessage MessageOf(const KafkaRecord& record) {
  TopicMessage message;
  for (auto& [name, value] : CopyOf(record.headers)) {
    message.headers.emplace_back(std::move(name), std::move(value).value_or(""));
  }
  if (record.key) message.key.emplace(*record.key);
  if (record.value) message.value.emplace(*record.value);
  return message;
}

// Assigns the partitions that hold records; returns the end of each.
Result<std::map<TopicPartition, std::int64_t>> AssignAll(ConsumerHandle& consumer,
                                                         const std::string& topic) {
  const Result<std::int32_t> count = consumer.brokers().PartitionCount(topic, kQuestion);
  if (!count) return count.error();
  std::map<TopicPartition, std::int64_t> ends;
  std::vector<PartitionOffset> positions;
  for (std::int32_t partition = 0; partition < count.value(); ++partition) {
    const TopicPartition pair{topic, partition};
    const Result<LogBounds> bounds = consumer.QueryBounds(pair, kQuestion);
    if (!bounds) return bounds.error();
    if (bounds.value().low == bounds.value().high) continue;
    ends.emplace(pair, bounds.value().high);
    positions.push_back({pair, bounds.value().low, {}});
  }
  if (Status assigned = consumer.Assign(positions); !assigned) return assigned.error();
  return ends;
}

}  // namespace

Status ReadLetterFile(const std::string& path, const TakeLetter& take) {
  std::error_code unknown;
  const auto kind = std::filesystem::status(path, unknown).type();
  if (kind != std::filesystem::file_type::regular && std::filesystem::exists(path, unknown)) {
    return Error{ErrorCode::kInvalidArgument, fmt::format("{}: not a regular file", path)};
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) return Error{ErrorCode::kNotFound, fmt::format("{}: {}", path, std::strerror(errno))};
  std::string line;
  for (std::uint64_t number = 1; std::getline(file, line); ++number) {
    if (file.eof()) break;
    Status taken = take(fmt::format("{}:{}", path, number), ParseDeadLetter(line));
    if (!taken) return taken;
  }
  if (file.bad()) return Error{ErrorCode::kUnavailable, fmt::format("{}: cannot be read", path)};
  return Ok{};
}

Status ReadLetterTopic(const KafkaDestination& from, const TakeLetter& take) {
  Result<std::unique_ptr<ConsumerHandle>> opened = ConsumerHandle::Open(ReaderOf(from));
  if (!opened) return std::move(opened).error();
  ConsumerHandle& consumer = *opened.value();
  auto ends = AssignAll(consumer, from.topic);
  if (!ends) return ends.error();
  auto heard = std::chrono::steady_clock::now();
  while (!ends.value().empty()) {
    const Polled* polled = consumer.Poll(milliseconds(100));
    consumer.ServeCallbacks();
    if (polled == nullptr || polled->kind == Polled::Kind::kError) {
      if (std::chrono::steady_clock::now() - heard < kReadingPatience) continue;
      return Error{
          ErrorCode::kUnavailable,
          fmt::format("topic {}: no record came for {} s{}{}", from.topic, kReadingPatience.count(),
                      polled == nullptr ? "" : ": ", polled == nullptr ? "" : polled->text)};
    }
    heard = std::chrono::steady_clock::now();
    const KafkaRecord& record = polled->record;
    const auto end = ends.value().find({std::string(record.topic), record.partition});
    if (end == ends.value().end()) continue;  // past the end of its partition
    if (polled->kind == Polled::Kind::kRecord && record.offset < end->second) {
      Status taken =
          take(fmt::format("{} [{}] offset {}", record.topic, record.partition, record.offset),
               LetterOf(MessageOf(record)));
      if (!taken) return taken;
    }
    if (polled->kind != Polled::Kind::kRecord || record.offset + 1 >= end->second) {
      ends.value().erase(end);
    }
  }
  return Ok{};
}

}  // namespace sash
