#include "daemon/infer/topic_sample.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "connectors/codec/foreign_format.h"
#include "connectors/codec/schema_frame.h"
#include "connectors/kafka/consumer_handle.h"
#include "daemon/probe/broker_probe.h"
#include "daemon/probe/newest_records.h"

namespace sash {
namespace {

constexpr std::int64_t kLeastOfPartition = 16;
constexpr std::size_t kMostReadBytes = 4 * kMostSampleBytes;
constexpr const char* kOptions = "source.kafka.options (of --config)";

struct SampledRecord {
  std::int64_t timestamp_ms = 0;
  std::int32_t partition = 0;
  std::int64_t offset = 0;
  std::string value;

  auto Order() const { return std::tuple(timestamp_ms, partition, offset); }
};

struct ReadRecords {
  std::vector<SampledRecord> records;
  std::size_t without_value = 0;
  std::size_t bytes = 0;
  ReadTrouble trouble;

  void Take(const KafkaRecord& record) {
    if (!record.value) {
      ++without_value;
      return;
    }
    bytes += record.value->size();
    records.push_back({record.timestamp_ms.value_or(0), record.partition, record.offset,
                       std::string(*record.value)});
  }
};

Error Unusable(const std::string& topic, std::string_view what, std::string_view remedy) {
  return {ErrorCode::kInvalidArgument, fmt::format("topic {}: {}; {}", topic, what, remedy)};
}

Result<std::vector<ProbedPartition>> PartitionsOf(ConsumerHandle& consumer,
                                                  const std::string& topic) {
  const Result<std::int32_t> count = consumer.brokers().PartitionCount(topic, kTopicPatience);
  if (!count) {
    consumer.ServeCallbacks();
    const InboxContents inbox = consumer.TakeInbox();
    std::string what = count.error().message;
    if (count.error().code == ErrorCode::kNotFound) {
      return Unusable(topic, "there is no such topic", "create it, or fix its name");
    }
    if (!inbox.connection_text.empty()) what += ": " + inbox.connection_text;
    return Unusable(topic, what, RemedyOf(inbox.connection_identity, what, kOptions));
  }
  std::vector<ProbedPartition> all;
  for (std::int32_t partition = 0; partition < count.value(); ++partition) {
    const TopicPartition pair{topic, partition};
    const Result<LogBounds> bounds = consumer.QueryBounds(pair, kTopicPatience);
    if (!bounds) {
      const std::string& what = bounds.error().message;
      return Unusable(topic, what, RemedyOf("", what, kOptions));
    }
    all.push_back({pair, bounds.value()});
  }
  return all;
}

ReadRecords ReadNewestOf(ConsumerHandle& consumer, const std::vector<ProbedPartition>& all) {
  ReadRecords read;
  const auto partitions = static_cast<std::int64_t>(std::max<std::size_t>(1, all.size()));
  const std::int64_t of_each = std::max(kTopicSampleRecords / partitions, kLeastOfPartition);
  read.trouble = ReadNewestRecords(consumer, all, of_each, [&](const KafkaRecord& record) {
    read.Take(record);
    return read.bytes < kMostReadBytes;
  });
  return read;
}

// Why most of the records are not text, and what to do.
std::optional<std::string> WhyForeign(const std::vector<SampledRecord>& records) {
  std::size_t count = 0;
  const SampledRecord* newest = nullptr;
  for (const SampledRecord& record : records) {
    if (!WhyForeignRecord(record.value)) continue;
    ++count;
    newest = &record;
  }
  if (count * 2 <= records.size()) return std::nullopt;
  std::string why =
      fmt::format("{} of {} records: {}", count, records.size(), *WhyForeignRecord(newest->value));
  if (!IsFramed(newest->value)) return why;
  const std::string_view content = ParseFrame(newest->value)->content;
  const std::size_t begin = content.find_first_not_of(" \t\r\n");
  const bool is_json = begin != std::string_view::npos && content[begin] == '{';
  return why + (is_json
                    ? ". After the frame comes JSON, so this is JSON Schema"
                    : ". After the frame comes binary content: Avro, or Protobuf (which Sash does "
                      "not read)");
}

std::string LineOf(const std::string& value) {
  std::string line = value;
  while (!line.empty() && (line.back() == '\n' || line.back() == '\r')) line.pop_back();
  const std::size_t begin = line.find_first_not_of(" \t\r\n");
  // A valid JSON text has line breaks only between its tokens.
  if (begin != std::string::npos && line[begin] == '{') {
    std::ranges::replace(line, '\n', ' ');
    std::ranges::replace(line, '\r', ' ');
  }
  return line + '\n';
}

// The newest lines that fit into kMostSampleBytes.
SampleText TextOf(const std::vector<SampledRecord>& records) {
  std::vector<std::string> lines;
  std::size_t bytes = 0;
  for (auto record = records.rbegin(); record != records.rend(); ++record) {
    lines.push_back(LineOf(record->value));
    bytes += lines.back().size();
    if (bytes > kMostSampleBytes) break;
  }
  SampleText sample{.is_whole = false};
  for (auto line = lines.rbegin(); line != lines.rend(); ++line) sample.text += *line;
  return sample;
}

}  // namespace

Result<SampleText> ReadTopicSample(const KafkaSpec& kafka, const std::string& topic) {
  const auto consumer = ConsumerHandle::Open(kafka);
  if (!consumer) return consumer.error();
  const auto partitions = PartitionsOf(*consumer.value(), topic);
  if (!partitions) return partitions.error();
  ReadRecords read = ReadNewestOf(*consumer.value(), partitions.value());
  if (read.records.empty() && !read.trouble.text.empty()) {
    return Unusable(topic, "it cannot be read: " + read.trouble.text,
                    RemedyOf(read.trouble.identity, read.trouble.text, kOptions));
  }
  if (read.records.empty() && read.without_value > 0) {
    return Unusable(topic, fmt::format("its newest {} records have no value", read.without_value),
                    "records without a value are removals; is it the right topic?");
  }
  if (read.records.empty()) {
    return Unusable(topic, "it holds no record that can be read", "is it the right topic?");
  }
  std::ranges::sort(read.records, {}, &SampledRecord::Order);
  if (const auto why = WhyForeign(read.records)) {
    return Error{ErrorCode::kInvalidArgument, fmt::format("topic {}: {}", topic, *why)};
  }
  return TextOf(read.records);
}

}  // namespace sash
