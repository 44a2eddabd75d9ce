#include "connectors/kafka/consumer_handle.h"

#include <fmt/format.h>
#include <librdkafka/rdkafka.h>
#include <syslog.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "connectors/kafka/bounds_question.h"
#include "connectors/kafka/break_watch.h"
#include "connectors/kafka/close_consumer.h"
#include "connectors/kafka/kafka_options.h"
#include "connectors/kafka/log_events.h"
#include "connectors/kafka/partition_list.h"
#include "connectors/kafka/topic_policy.h"
#include "windows/base/check.h"

namespace sash {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kLeastForDestroy{500};

int Milliseconds(milliseconds timeout) { return static_cast<int>(timeout.count()); }

std::span<const rd_kafka_topic_partition_t> Elements(const rd_kafka_topic_partition_list_t* list) {
  return {list->elems, static_cast<std::size_t>(list->cnt)};
}

// Lost and new connections are reported as states, once per change (BrokerReach). librdkafka's own
// lines would repeat themselves, so they are debug messages.
const LogEvent& EventOf(int syslog_level, std::string_view facility) {
  if (syslog_level <= LOG_CRIT) return kafka_events::kClientError;
  return facility == "CONFWARN" ? kafka_events::kClientWarning : kafka_events::kClientDebug;
}

Polled::Kind KindOf(rd_kafka_resp_err_t error) {
  switch (error) {
    case RD_KAFKA_RESP_ERR__AUTO_OFFSET_RESET:
    case RD_KAFKA_RESP_ERR_OFFSET_OUT_OF_RANGE:
      return Polled::Kind::kOutOfRange;
    case RD_KAFKA_RESP_ERR__BAD_COMPRESSION:
    case RD_KAFKA_RESP_ERR__BAD_MSG:
    case RD_KAFKA_RESP_ERR__NOT_IMPLEMENTED:
      return Polled::Kind::kUnreadable;
    default:
      return Polled::Kind::kError;
  }
}

// librdkafka parses the headers of a message when they are asked for the first time.
void AppendHeaders(const void* message, std::vector<RecordHeader>& to) {
  rd_kafka_headers_t* headers = nullptr;
  if (rd_kafka_message_headers(static_cast<const rd_kafka_message_t*>(message), &headers) !=
      RD_KAFKA_RESP_ERR_NO_ERROR) {
    return;
  }
  const char* name = nullptr;
  const void* value = nullptr;
  std::size_t size = 0;
  for (std::size_t i = 0;
       rd_kafka_header_get_all(headers, i, &name, &value, &size) == RD_KAFKA_RESP_ERR_NO_ERROR;
       ++i) {
    RecordHeader& header = to.emplace_back(RecordHeader{.name = name});
    if (value != nullptr) header.value.emplace(static_cast<const char*>(value), size);
  }
}

// librdkafka's threads write here. It outlives the handle.
class Inbox {
 public:
  void AddLine(const LogEvent& event, std::string text) {
    const MutexLock lock(mutex_);
    if (contents_.log.size() >= kMaxLines) {
      ++contents_.log_dropped;
    } else {
      contents_.log.push_back({event, std::move(text)});
    }
  }
  void AddError(rd_kafka_resp_err_t error, std::string_view reason) {
    const MutexLock lock(mutex_);
    // This error has no reason; the error before it has.
    if (error == RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN) {
      contents_.all_brokers_down = true;
      if (!contents_.connection_identity.empty()) return;
    }
    contents_.connection_identity = rd_kafka_err2name(error);
    contents_.connection_text = reason;
    contents_.topic_refused = error == RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART ||
                              error == RD_KAFKA_RESP_ERR__UNKNOWN_TOPIC ||
                              error == RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED;
  }
  void SetStatistics(std::string_view text) {
    const MutexLock lock(mutex_);
    contents_.statistics = text;
  }
  InboxContents Take() {
    const MutexLock lock(mutex_);
    return std::exchange(contents_, {});
  }

 private:
  static constexpr std::size_t kMaxLines = 256;
  Mutex mutex_;
  InboxContents contents_ SASH_GUARDED_BY(mutex_);
};

struct MetadataDeleter {
  void operator()(const rd_kafka_metadata_t* metadata) const {
    rd_kafka_metadata_destroy(metadata);
  }
};
using Metadata = std::unique_ptr<const rd_kafka_metadata_t, MetadataDeleter>;

std::span<const rd_kafka_metadata_topic_t> TopicsIn(const rd_kafka_metadata_t& metadata) {
  return {metadata.topics, static_cast<std::size_t>(metadata.topic_cnt)};
}

std::map<std::string, std::int32_t> CountsIn(const rd_kafka_metadata_t& metadata) {
  std::map<std::string, std::int32_t> counts;
  for (const rd_kafka_metadata_topic_t& topic : TopicsIn(metadata)) {
    if (topic.err == RD_KAFKA_RESP_ERR_NO_ERROR) counts[topic.topic] = topic.partition_cnt;
  }
  return counts;
}

}  // namespace

struct ConsumerHandle::Handle {
  rd_kafka_t* consumer = nullptr;
  std::unique_ptr<OffsetCommits> commits;
  rd_kafka_message_t* message = nullptr;
  std::vector<rd_kafka_message_t*> kept;
  std::vector<rd_kafka_message_t*> last;  // by place; null: none is kept there
  std::optional<BoundsQuestion> bounds;
  // Shared with what destroys the consumer later (Close).
  std::shared_ptr<BreakWatch> watch = std::make_shared<BreakWatch>();
  std::shared_ptr<Inbox> inbox = std::make_shared<Inbox>();
  bool closed = false;

  // `topic`: null for the topics that the consumer knows (none at first), or for all topics.
  Result<Metadata> AskForMetadata(rd_kafka_topic_t* topic, milliseconds timeout,
                                  bool all = false) const {
    const rd_kafka_metadata_t* found = nullptr;
    const rd_kafka_resp_err_t error =
        rd_kafka_metadata(consumer, all ? 1 : 0, topic, &found, Milliseconds(timeout));
    if (error != RD_KAFKA_RESP_ERR_NO_ERROR) return KafkaError("brokers", error);
    watch->Forgive();
    return Metadata(found);
  }
  void DropMessage() {
    if (message != nullptr) rd_kafka_message_destroy(std::exchange(message, nullptr));
  }
  void DropKept() {
    for (rd_kafka_message_t* record : kept) rd_kafka_message_destroy(record);
    kept.clear();
  }
  void DropLast() {
    for (rd_kafka_message_t*& record : last) {
      if (record != nullptr) rd_kafka_message_destroy(std::exchange(record, nullptr));
    }
  }
};

Result<std::unique_ptr<ConsumerHandle>> ConsumerHandle::Open(const KafkaSpec& spec) {
  return OpenWith(spec, true);
}

Result<std::unique_ptr<ConsumerHandle>> ConsumerHandle::OpenUnread(const KafkaSpec& spec) {
  return OpenWith(spec, false);
}

Result<std::unique_ptr<ConsumerHandle>> ConsumerHandle::OpenWith(const KafkaSpec& spec,
                                                                 bool has_statistics) {
  rd_kafka_conf_t* conf = rd_kafka_conf_new();
  const std::vector<KafkaOptionError> errors = ApplyKafkaOptions(spec, conf);
  std::array<char, 512> text{};
  if (!errors.empty()) {
    rd_kafka_conf_destroy(conf);
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("source.kafka.options.{}: {}", errors[0].key, errors[0].what)};
  }
  if (!has_statistics) MustSetOption(conf, "statistics.interval.ms", "0");
  if (rd_kafka_conf_set(conf, "bootstrap.servers", spec.brokers.c_str(), text.data(),
                        text.size()) != RD_KAFKA_CONF_OK) {
    rd_kafka_conf_destroy(conf);
    return Error{ErrorCode::kInvalidArgument, fmt::format("source.kafka.brokers: {}", text.data())};
  }
  auto handle = std::make_unique<Handle>();
  handle->watch->Watch(conf);
  rd_kafka_conf_set_opaque(conf, handle->inbox.get());
  rd_kafka_conf_set_log_cb(
      conf, [](const rd_kafka_t* rk, int level, const char* facility, const char* line) {
        static_cast<Inbox*>(rd_kafka_opaque(rk))
            ->AddLine(EventOf(level, facility), fmt::format("librdkafka: {}: {}", facility, line));
      });
  rd_kafka_conf_set_error_cb(conf, [](rd_kafka_t*, int error, const char* reason, void* inbox) {
    static_cast<Inbox*>(inbox)->AddError(static_cast<rd_kafka_resp_err_t>(error), reason);
  });
  rd_kafka_conf_set_stats_cb(conf, [](rd_kafka_t*, char* json, std::size_t bytes, void* inbox) {
    static_cast<Inbox*>(inbox)->SetStatistics({json, bytes});
    return 0;  // librdkafka frees the text
  });
  handle->consumer = rd_kafka_new(RD_KAFKA_CONSUMER, conf, text.data(), text.size());
  if (handle->consumer == nullptr) {
    rd_kafka_conf_destroy(conf);
    return Error{ErrorCode::kInvalidArgument, fmt::format("source.kafka.options: {}", text.data())};
  }
  handle->commits = std::make_unique<OffsetCommits>(handle->consumer);
  handle->bounds.emplace(handle->consumer);
  return std::unique_ptr<ConsumerHandle>(new ConsumerHandle(std::move(handle)));
}

ConsumerHandle::ConsumerHandle(std::unique_ptr<Handle> handle) : handle_(std::move(handle)) {}

ConsumerHandle::~ConsumerHandle() { Close(std::chrono::seconds(2)); }

Result<std::vector<std::string>> ConsumerHandle::Brokers(milliseconds timeout) {
  const Result<Metadata> asked = handle_->AskForMetadata(nullptr, timeout);
  if (!asked) return asked.error();
  const rd_kafka_metadata_t& metadata = *asked.value();
  std::vector<std::string> brokers;
  for (int i = 0; i < metadata.broker_cnt; ++i) {
    brokers.push_back(fmt::format("{}:{}", metadata.brokers[i].host, metadata.brokers[i].port));
  }
  return brokers;
}

Result<std::int32_t> ConsumerHandle::PartitionCount(const std::string& topic,
                                                    milliseconds timeout) {
  const std::string what = fmt::format("topic {}", topic);
  rd_kafka_topic_t* handle = rd_kafka_topic_new(handle_->consumer, topic.c_str(), nullptr);
  if (handle == nullptr) return KafkaError(what, rd_kafka_last_error());
  const Result<Metadata> asked = handle_->AskForMetadata(handle, timeout);
  rd_kafka_topic_destroy(handle);
  if (!asked) return asked.error();
  const rd_kafka_metadata_t& metadata = *asked.value();
  std::int32_t partitions = 0;
  rd_kafka_resp_err_t error = RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART;
  if (metadata.topic_cnt == 1) {
    error = metadata.topics[0].err;
    partitions = metadata.topics[0].partition_cnt;
  }
  if (error != RD_KAFKA_RESP_ERR_NO_ERROR) return KafkaError(what, error);
  if (partitions == 0) return KafkaError(what, RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART);
  return partitions;
}

Result<std::map<std::string, std::int32_t>> ConsumerHandle::PartitionCounts(milliseconds timeout) {
  const Result<Metadata> asked = handle_->AskForMetadata(nullptr, timeout);
  if (!asked) return asked.error();
  return CountsIn(*asked.value());
}

Result<std::map<std::string, std::int32_t>> ConsumerHandle::AllPartitionCounts(
    milliseconds timeout) {
  const Result<Metadata> asked = handle_->AskForMetadata(nullptr, timeout, true);
  if (!asked) return asked.error();
  return CountsIn(*asked.value());
}

Result<std::set<std::string>> ConsumerHandle::UnknownTopics(milliseconds timeout) {
  const Result<Metadata> asked = handle_->AskForMetadata(nullptr, timeout);
  if (!asked) return asked.error();
  std::set<std::string> unknown;
  for (const rd_kafka_metadata_topic_t& topic : TopicsIn(*asked.value())) {
    if (topic.err == RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART) unknown.insert(topic.topic);
  }
  return unknown;
}

Result<LogBounds> ConsumerHandle::QueryBounds(const TopicPartition& pair, milliseconds timeout) {
  return handle_->bounds->Ask(pair, timeout);
}

void ConsumerHandle::Interrupt() { handle_->bounds->Interrupt(); }

Result<std::vector<PartitionOffset>> ConsumerHandle::Committed(
    std::span<const TopicPartition> pairs, milliseconds timeout) {
  const PartitionList list = MakePartitionList(pairs);
  const rd_kafka_resp_err_t error =
      rd_kafka_committed(handle_->consumer, list.get(), Milliseconds(timeout));
  if (error != RD_KAFKA_RESP_ERR_NO_ERROR) return KafkaError("committed offsets", error);
  if (Status status = FirstError("committed offset of", list.get()); !status) {
    return std::move(status).error();
  }
  std::vector<PartitionOffset> commits;
  for (const rd_kafka_topic_partition_t& element : Elements(list.get())) {
    if (element.offset < 0) continue;
    PartitionOffset commit{{element.topic, element.partition}, element.offset, {}};
    if (element.metadata != nullptr) {
      commit.metadata.assign(static_cast<const char*>(element.metadata), element.metadata_size);
    }
    commits.push_back(std::move(commit));
  }
  return commits;
}

Result<std::vector<PartitionOffset>> ConsumerHandle::OffsetsAt(
    std::span<const TopicPartition> pairs, EventTime time, milliseconds timeout) {
  const PartitionList list = MakePartitionList(pairs);
  for (int i = 0; i < list->cnt; ++i) {
    // Rounded up: the first millisecond that is not before `time`.
    list->elems[i].offset = std::chrono::ceil<milliseconds>(time).time_since_epoch().count();
  }
  const rd_kafka_resp_err_t error =
      rd_kafka_offsets_for_times(handle_->consumer, list.get(), Milliseconds(timeout));
  if (error != RD_KAFKA_RESP_ERR_NO_ERROR) return KafkaError("offsets by time", error);
  if (Status status = FirstError("offset by time of", list.get()); !status) {
    return std::move(status).error();
  }
  std::vector<PartitionOffset> offsets;
  for (const rd_kafka_topic_partition_t& element : Elements(list.get())) {
    offsets.push_back({{element.topic, element.partition}, element.offset, {}});
  }
  return offsets;
}

Result<std::vector<PartitionOffset>> ConsumerHandle::Ends(std::span<const TopicPartition> pairs,
                                                          milliseconds timeout) {
  const PartitionList list = MakePartitionList(pairs);
  // RD_KAFKA_OFFSET_END instead of a time asks for the end.
  for (int i = 0; i < list->cnt; ++i) list->elems[i].offset = RD_KAFKA_OFFSET_END;
  const rd_kafka_resp_err_t error =
      rd_kafka_offsets_for_times(handle_->consumer, list.get(), Milliseconds(timeout));
  if (error != RD_KAFKA_RESP_ERR_NO_ERROR) return KafkaError("ends", error);
  if (Status status = FirstError("end of", list.get()); !status) return std::move(status).error();
  std::vector<PartitionOffset> ends;
  for (const rd_kafka_topic_partition_t& element : Elements(list.get())) {
    if (element.offset >= 0) {
      ends.push_back({{element.topic, element.partition}, element.offset, {}});
    }
  }
  return ends;
}

Result<bool> ConsumerHandle::IsCompacted(const std::string& topic, milliseconds timeout) {
  return IsTopicCompacted(handle_->consumer, topic, timeout);
}

std::optional<std::int64_t> ConsumerHandle::KnownEnd(const TopicPartition& pair) const {
  std::int64_t low = RD_KAFKA_OFFSET_INVALID;
  std::int64_t high = RD_KAFKA_OFFSET_INVALID;
  const rd_kafka_resp_err_t error = rd_kafka_get_watermark_offsets(
      handle_->consumer, pair.topic.c_str(), pair.partition, &low, &high);
  if (error != RD_KAFKA_RESP_ERR_NO_ERROR || high < 0) return std::nullopt;
  return high;
}

Status ConsumerHandle::Assign(std::span<const PartitionOffset> positions) {
  const rd_kafka_resp_err_t error =
      rd_kafka_assign(handle_->consumer, MakePartitionList(positions).get());
  if (error != RD_KAFKA_RESP_ERR_NO_ERROR) return KafkaError("assign the partitions", error);
  return Ok{};
}

Status ConsumerHandle::Seek(const PartitionOffset& position) {
  const PartitionList list = MakePartitionList(std::span(&position, 1));
  rd_kafka_error_t* error = rd_kafka_seek_partitions(handle_->consumer, list.get(), 1000);
  if (error != nullptr) {
    const rd_kafka_resp_err_t code = rd_kafka_error_code(error);
    rd_kafka_error_destroy(error);
    return KafkaError("seek", code);
  }
  return FirstError("seek", list.get());
}

Status ConsumerHandle::Pause(std::span<const TopicPartition> pairs) {
  const PartitionList list = MakePartitionList(pairs);
  const rd_kafka_resp_err_t error = rd_kafka_pause_partitions(handle_->consumer, list.get());
  if (error != RD_KAFKA_RESP_ERR_NO_ERROR) return KafkaError("pause", error);
  return FirstError("pause", list.get());
}

Status ConsumerHandle::Resume(std::span<const TopicPartition> pairs) {
  const PartitionList list = MakePartitionList(pairs);
  const rd_kafka_resp_err_t error = rd_kafka_resume_partitions(handle_->consumer, list.get());
  if (error != RD_KAFKA_RESP_ERR_NO_ERROR) return KafkaError("resume", error);
  return FirstError("resume", list.get());
}

const Polled* ConsumerHandle::Poll(milliseconds timeout) {
  handle_->DropMessage();
  handle_->message = rd_kafka_consumer_poll(handle_->consumer, Milliseconds(timeout));
  if (handle_->message == nullptr) return nullptr;
  const rd_kafka_message_t& message = *handle_->message;
  KafkaRecord& record = polled_.record;
  record = {};
  if (message.rkt != nullptr) record.topic = rd_kafka_topic_name(message.rkt);
  record.partition = message.partition;
  record.offset = message.offset;
  if (message.err == RD_KAFKA_RESP_ERR_NO_ERROR) {
    polled_.kind = Polled::Kind::kRecord;
    rd_kafka_timestamp_type_t type = RD_KAFKA_TIMESTAMP_NOT_AVAILABLE;
    const std::int64_t timestamp = rd_kafka_message_timestamp(&message, &type);
    if (type != RD_KAFKA_TIMESTAMP_NOT_AVAILABLE && timestamp >= 0) record.timestamp_ms = timestamp;
    if (message.key != nullptr)
      record.key.emplace(static_cast<const char*>(message.key), message.key_len);
    if (message.payload != nullptr) {
      record.value.emplace(static_cast<const char*>(message.payload), message.len);
    }
    record.headers = {&message, AppendHeaders};
    return &polled_;
  }
  if (message.err == RD_KAFKA_RESP_ERR__PARTITION_EOF) {
    polled_.kind = Polled::Kind::kEnd;
    return &polled_;
  }
  polled_.kind = KindOf(message.err);
  polled_.identity = rd_kafka_err2name(message.err);
  polled_.text = rd_kafka_message_errstr(&message);
  return &polled_;
}

void ConsumerHandle::Keep() {
  SASH_CHECK(handle_->message != nullptr);
  handle_->kept.push_back(std::exchange(handle_->message, nullptr));
}

void ConsumerHandle::LetGo() { handle_->DropKept(); }

void ConsumerHandle::KeepLast(std::size_t place) {
  SASH_CHECK(handle_->message != nullptr);
  if (place >= handle_->last.size()) handle_->last.resize(place + 1);
  rd_kafka_message_t*& last = handle_->last[place];
  if (last != nullptr) rd_kafka_message_destroy(last);
  last = std::exchange(handle_->message, nullptr);
}

void ConsumerHandle::LetGoLast() { handle_->DropLast(); }

std::uint64_t ConsumerHandle::breaks() const { return handle_->watch->breaks(); }

void ConsumerHandle::ServeCallbacks() { rd_kafka_poll(handle_->consumer, 0); }

InboxContents ConsumerHandle::TakeInbox() { return handle_->inbox->Take(); }

OffsetCommits& ConsumerHandle::commits() { return *handle_->commits; }

bool ConsumerHandle::Close(milliseconds timeout) {
  if (handle_->closed) return true;
  handle_->closed = true;
  handle_->DropMessage();
  handle_->DropKept();
  handle_->DropLast();
  const auto deadline = std::chrono::steady_clock::now() + timeout;
  if (!CloseConsumer(handle_->consumer, deadline)) {
    // librdkafka's threads may still write into these.
    KeepForEver(new std::shared_ptr(handle_->inbox));
    KeepForEver(new std::shared_ptr(handle_->watch));
    KeepForEver(handle_->commits.release());
    static_cast<void>(handle_->bounds->End(deadline, nullptr));
    return false;
  }
  handle_->commits.reset();
  const auto destroy = [consumer = handle_->consumer, inbox = handle_->inbox,
                        watch = handle_->watch] {
    rd_kafka_destroy_flags(consumer, RD_KAFKA_DESTROY_F_NO_CONSUMER_CLOSE);
  };
  if (!handle_->bounds->End(deadline, destroy)) return true;
  return DestroyConsumer(destroy,
                         std::max(deadline, std::chrono::steady_clock::now() + kLeastForDestroy));
}

}  // namespace sash
