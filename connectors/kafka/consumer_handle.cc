#include "connectors/kafka/consumer_handle.h"

#include <librdkafka/rdkafka.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "connectors/kafka/bounds_question.h"
#include "connectors/kafka/break_watch.h"
#include "connectors/kafka/close_consumer.h"
#include "connectors/kafka/consumer_config.h"
#include "connectors/kafka/partition_list.h"
#include "windows/base/check.h"

namespace sash {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kLeastForDestroy{500};

int Milliseconds(milliseconds timeout) { return static_cast<int>(timeout.count()); }

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

}  // namespace

struct ConsumerHandle::Handle {
  rd_kafka_t* consumer = nullptr;
  std::unique_ptr<OffsetCommits> commits;
  rd_kafka_message_t* message = nullptr;
  std::vector<rd_kafka_message_t*> kept;
  std::vector<rd_kafka_message_t*> last;  // by place; null: none is kept there
  std::optional<BoundsQuestion> bounds;
  std::optional<BrokerQuestions> questions;
  // Shared with the code that destroys the consumer later (Close).
  std::shared_ptr<BreakWatch> watch = std::make_shared<BreakWatch>();
  std::shared_ptr<ConsumerInbox> inbox = std::make_shared<ConsumerInbox>();
  bool closed = false;

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
  auto handle = std::make_unique<Handle>();
  ConsumerConfig config(spec);
  if (!has_statistics) config.Set("statistics.interval.ms", "0");
  handle->watch->Watch(config.native());
  handle->inbox->Listen(config.native());
  const Result<rd_kafka_t*> consumer = config.Create();
  if (!consumer) return consumer.error();
  handle->consumer = consumer.value();
  handle->questions.emplace(handle->consumer, *handle->watch);
  handle->commits = std::make_unique<OffsetCommits>(handle->consumer);
  handle->bounds.emplace(handle->consumer);
  return std::unique_ptr<ConsumerHandle>(new ConsumerHandle(std::move(handle)));
}

ConsumerHandle::ConsumerHandle(std::unique_ptr<Handle> handle) : handle_(std::move(handle)) {}

ConsumerHandle::~ConsumerHandle() { Close(std::chrono::seconds(2)); }

BrokerQuestions& ConsumerHandle::brokers() { return *handle_->questions; }

Result<LogBounds> ConsumerHandle::QueryBounds(const TopicPartition& pair, milliseconds timeout) {
  return handle_->bounds->Ask(pair, timeout);
}

void ConsumerHandle::Interrupt() { handle_->bounds->Interrupt(); }

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
