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
#include "daemon/letters/partition_reading.h"

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

// Reads a topic from its beginning to the end that it has at the start.
class TopicReading {
 public:
  TopicReading(ConsumerHandle& consumer, std::string topic, const TakeLetter& take)
      : consumer_(consumer), topic_(std::move(topic)), take_(take) {}

  Status Run() {
    if (Status begun = Begin(); !begun) return begun;
    heard_ = std::chrono::steady_clock::now();
    while (!open_.empty()) {
      const Polled* polled = consumer_.Poll(milliseconds(100));
      consumer_.ServeCallbacks();
      if (polled != nullptr) {
        if (Status handled = Handle(*polled); !handled) return handled;
      }
      if (std::chrono::steady_clock::now() - heard_ >= kReadingPatience) return Silence();
    }
    return lost_.empty() ? Status(Ok{}) : Unavailable("letters could not be read: " + lost_);
  }

 private:
  using Open = std::map<TopicPartition, PartitionReading>;

  Error Unavailable(const std::string& why) const {
    return {ErrorCode::kUnavailable, fmt::format("topic {}: {}", topic_, why)};
  }
  Error Silence() const {
    return Unavailable(fmt::format("no record came for {} s{}{}", kReadingPatience.count(),
                                   trouble_.empty() ? "" : ": ", trouble_));
  }

  // Assigns the partitions that hold records.
  Status Begin() {
    const Result<std::int32_t> count = consumer_.brokers().PartitionCount(topic_, kQuestion);
    if (!count) return count.error();
    for (std::int32_t partition = 0; partition < count.value(); ++partition) {
      const TopicPartition pair{topic_, partition};
      const Result<LogBounds> bounds = consumer_.QueryBounds(pair, kQuestion);
      if (!bounds) return bounds.error();
      if (bounds.value().low == bounds.value().high) continue;
      open_.emplace(pair, PartitionReading(bounds.value().low, bounds.value().high));
    }
    return AssignOpen();
  }

  Status AssignOpen() {
    std::vector<PartitionOffset> positions;
    for (const auto& [pair, partition] : open_) positions.push_back({pair, partition.next(), {}});
    return consumer_.Assign(positions);
  }

  Status Handle(const Polled& polled) {
    if (polled.kind == Polled::Kind::kError) {
      trouble_ = polled.text;
      return Ok{};
    }
    const KafkaRecord& record = polled.record;
    const auto place = open_.find({std::string(record.topic), record.partition});
    if (place == open_.end()) return Ok{};  // past the end of its partition
    switch (polled.kind) {
      case Polled::Kind::kRecord:
        return TakeRecord(record, place);
      case Polled::Kind::kEnd:
        Reach(record.offset, *place);
        open_.erase(place);
        break;
      case Polled::Kind::kOutOfRange:
        return GoOnAtTheBeginning(place);
      case Polled::Kind::kUnreadable:
      case Polled::Kind::kError:
        // librdkafka asks for the batch again, for ever, or skips it.
        place->second.NoteUnreadable(polled.text);
        trouble_ = fmt::format("the batch at offset {} of partition {} cannot be read: {}",
                               place->second.next(), record.partition, polled.text);
        break;
    }
    return Ok{};
  }

  Status TakeRecord(const KafkaRecord& record, Open::iterator place) {
    PartitionReading& partition = place->second;
    if (record.offset < partition.next()) return Ok{};  // fetched before the last assignment
    Reach(record.offset, *place);
    if (record.offset < partition.end()) {
      Status taken =
          take_(fmt::format("{} [{}] offset {}", record.topic, record.partition, record.offset),
                LetterOf(MessageOf(record)));
      if (!taken) return taken;
    }
    partition.Pass(record.offset);
    if (partition.is_done()) open_.erase(place);
    return Ok{};
  }

  void Reach(std::int64_t offset, Open::value_type& place) {
    if (const auto lost = place.second.Reach(offset)) {
      lost_ += fmt::format("{}offsets {} to {} of partition {} ({})", lost_.empty() ? "" : ", ",
                           lost->first, lost->last, place.first.partition, lost->why);
    }
    heard_ = std::chrono::steady_clock::now();
    trouble_.clear();
  }

  // Retention has deleted records since their offset was asked for. A partition whose fetcher
  // stopped cannot seek, so all are assigned again.
  Status GoOnAtTheBeginning(Open::iterator place) {
    PartitionReading& partition = place->second;
    const Result<LogBounds> bounds = consumer_.QueryBounds(place->first, kQuestion);
    if (!bounds) return bounds.error();
    if (bounds.value().high < partition.next()) {
      return Unavailable(
          fmt::format("offset {} of partition {} is gone, and its end is {}: the topic was cut, or "
                      "created again; run this again",
                      partition.next(), place->first.partition, bounds.value().high));
    }
    partition.BeginAt(bounds.value().low);
    if (partition.is_done()) open_.erase(place);
    return AssignOpen();
  }

  ConsumerHandle& consumer_;
  const std::string topic_;
  const TakeLetter& take_;
  Open open_;  // the partitions that are not read to their ends
  std::chrono::steady_clock::time_point heard_{};
  std::string trouble_;  // why no record comes, if that is known
  std::string lost_;
};

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
  return TopicReading(*opened.value(), from.topic, take).Run();
}

}  // namespace sash
