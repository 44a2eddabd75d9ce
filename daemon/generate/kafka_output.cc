#include "daemon/generate/kafka_output.h"

#include <fmt/format.h>
#include <librdkafka/rdkafka.h>

#include <algorithm>
#include <array>
#include <utility>

#include "daemon/generate/kafka_topic.h"
#include "windows/base/clock.h"

namespace sash {
namespace {

constexpr std::chrono::seconds kDeliveryPatienceAfterStop{10};
constexpr int kDeliveryPollMilliseconds = 100;

// librdkafka may conclude that a message is delivered because a later one is. This can be wrong for
// the first messages of a producer (topic_producer.h of the sinks).
constexpr const char* kNoOffset = "no broker has reported the offset of a message";

// Results of librdkafka's callbacks. They run inside rd_kafka_poll(), on the writer's thread.
struct Deliveries {
  std::uint64_t delivered = 0;
  std::uint64_t failed = 0;
  std::string first_failure;
  std::string trouble;  // the newest error of the connections
  Say say;
  bool opened = false;  // before that, the waiting code reports errors
};

void OnDelivery(rd_kafka_t*, const rd_kafka_message_t* message, void* opaque) {
  auto& deliveries = *static_cast<Deliveries*>(opaque);
  const bool failed = message->err != RD_KAFKA_RESP_ERR_NO_ERROR;
  if (!failed && message->offset >= 0) {
    ++deliveries.delivered;
  } else if (deliveries.failed++ == 0) {
    deliveries.first_failure = failed ? rd_kafka_err2str(message->err) : kNoOffset;
  }
}

void OnError(rd_kafka_t*, int, const char* reason, void* opaque) {
  auto& deliveries = *static_cast<Deliveries*>(opaque);
  const bool news = deliveries.trouble != reason;
  deliveries.trouble = reason;
  if (deliveries.opened && news) deliveries.say(reason);
}

// Errors reach OnError() too; the other messages do not help the user.
void OnLog(const rd_kafka_t*, int, const char*, const char*) {}

Status SetOption(rd_kafka_conf_t* conf, const std::string& key, const std::string& value) {
  std::array<char, 512> text{};
  if (rd_kafka_conf_set(conf, key.c_str(), value.c_str(), text.data(), text.size()) ==
      RD_KAFKA_CONF_OK) {
    return Ok{};
  }
  return Error{ErrorCode::kInvalidArgument, fmt::format("option {}: {}", key, text.data())};
}

Status Configure(rd_kafka_conf_t* conf, const KafkaOutputOptions& options) {
  const std::map<std::string, std::string> defaults = {
      {"client.id", "sash-generate"},          {"linger.ms", "20"},
      {"batch.num.messages", "10000"},         {"queue.buffering.max.messages", "200000"},
      {"queue.buffering.max.kbytes", "65536"},
  };
  for (const auto& [key, value] : defaults) {
    if (Status set = SetOption(conf, key, value); !set) return set;
  }
  for (const auto& [key, value] : options.options) {
    if (key == "bootstrap.servers" || key == "metadata.broker.list") {
      return Error{ErrorCode::kInvalidArgument, fmt::format("option {}: use --brokers", key)};
    }
    if (key == "enable.idempotence") {
      return Error{ErrorCode::kInvalidArgument,
                   fmt::format("option {}: is always true, it keeps the order", key)};
    }
    if (Status set = SetOption(conf, key, value); !set) return set;
  }
  if (Status set = SetOption(conf, "bootstrap.servers", options.brokers); !set) return set;
  return SetOption(conf, "enable.idempotence", "true");
}

class KafkaOutput final : public RecordOutput {
 public:
  KafkaOutput(KafkaOutputOptions options, const StopFlag& stop, Say say)
      : options_(std::move(options)), stop_(stop) {
    deliveries_.say = std::move(say);
  }

  ~KafkaOutput() override {
    if (topic_ != nullptr) rd_kafka_topic_destroy(topic_);
    if (producer_ == nullptr) return;
    rd_kafka_purge(producer_, RD_KAFKA_PURGE_F_QUEUE | RD_KAFKA_PURGE_F_INFLIGHT);
    rd_kafka_destroy(producer_);
  }

  KafkaOutput(const KafkaOutput&) = delete;
  KafkaOutput& operator=(const KafkaOutput&) = delete;

  Status Open() {
    rd_kafka_conf_t* conf = rd_kafka_conf_new();
    if (Status configured = Configure(conf, options_); !configured) {
      rd_kafka_conf_destroy(conf);
      return configured;
    }
    rd_kafka_conf_set_opaque(conf, &deliveries_);
    rd_kafka_conf_set_dr_msg_cb(conf, OnDelivery);
    rd_kafka_conf_set_error_cb(conf, OnError);
    rd_kafka_conf_set_log_cb(conf, OnLog);
    std::array<char, 512> text{};
    producer_ = rd_kafka_new(RD_KAFKA_PRODUCER, conf, text.data(), text.size());
    if (producer_ == nullptr) {  // the configuration is still ours then
      rd_kafka_conf_destroy(conf);
      return Error{ErrorCode::kInvalidArgument, text.data()};
    }
    Result<std::int32_t> partitions =
        AwaitTopic(producer_, options_, deliveries_.trouble, stop_, deliveries_.say);
    if (!partitions) return std::move(partitions).error();
    partitions_ = partitions.value();
    topic_ = rd_kafka_topic_new(producer_, options_.topic.c_str(), nullptr);
    if (topic_ == nullptr) {
      return Error{ErrorCode::kUnavailable, rd_kafka_err2str(rd_kafka_last_error())};
    }
    deliveries_.opened = true;
    return Ok{};
  }

  Result<Taken> Write(const OutgoingRecord& record) override {
    const std::int32_t partition = PartitionOf(record);
    const bool keyed = options_.partition_by == PartitionBy::kKey;
    while (true) {
      const rd_kafka_resp_err_t error = rd_kafka_producev(
          producer_, RD_KAFKA_V_RKT(topic_), RD_KAFKA_V_PARTITION(partition),
          RD_KAFKA_V_MSGFLAGS(RD_KAFKA_MSG_F_COPY),
          RD_KAFKA_V_VALUE(const_cast<char*>(record.text.data()), record.text.size()),
          RD_KAFKA_V_KEY(keyed ? record.key.data() : nullptr, keyed ? record.key.size() : 0),
          RD_KAFKA_V_TIMESTAMP(record.time_ms), RD_KAFKA_V_END);
      if (error == RD_KAFKA_RESP_ERR_NO_ERROR) {
        ++taken_;
        return Taken::kYes;
      }
      if (error != RD_KAFKA_RESP_ERR__QUEUE_FULL) return Failed(rd_kafka_err2str(error));
      rd_kafka_poll(producer_, kDeliveryPollMilliseconds);
      if (deliveries_.failed > 0) return Undelivered();
      if (stop_.load()) return Taken::kClosed;
    }
  }

  Result<Taken> Flush() override {
    rd_kafka_poll(producer_, 0);
    if (deliveries_.failed > 0) return Undelivered();
    return Taken::kYes;
  }

  // Ends by itself: librdkafka gives up each message after message.timeout.ms.
  Status Finish() override {
    SteadyTime give_up = SteadyTime::max();
    while (deliveries_.failed == 0 &&
           rd_kafka_flush(producer_, kDeliveryPollMilliseconds) == RD_KAFKA_RESP_ERR__TIMED_OUT) {
      if (!stop_.load()) continue;
      const SteadyTime now = std::chrono::steady_clock::now();
      if (give_up == SteadyTime::max()) give_up = now + kDeliveryPatienceAfterStop;
      if (now >= give_up) break;
    }
    if (deliveries_.delivered != taken_) return Undelivered();
    return Ok{};
  }

  std::uint64_t waiting() const override {
    return taken_ - deliveries_.delivered - deliveries_.failed;
  }

 private:
  std::int32_t PartitionOf(const OutgoingRecord& record) const {
    if (options_.partition_by == PartitionBy::kKey) {
      return rd_kafka_msg_partitioner_murmur2(topic_, record.key.data(), record.key.size(),
                                              partitions_, nullptr, nullptr);
    }
    return static_cast<std::int32_t>(record.number % static_cast<std::uint64_t>(partitions_));
  }

  Error Failed(std::string_view why) const {
    return {ErrorCode::kUnavailable, fmt::format("write topic {}: {}", options_.topic, why)};
  }

  Error Undelivered() const {
    const std::string& why =
        deliveries_.first_failure.empty() ? deliveries_.trouble : deliveries_.first_failure;
    return Failed(fmt::format("{} of {} records were not delivered: {}",
                              taken_ - deliveries_.delivered, taken_,
                              why.empty() ? "the broker did not answer in time" : why));
  }

  KafkaOutputOptions options_;
  const StopFlag& stop_;
  Deliveries deliveries_;
  rd_kafka_t* producer_ = nullptr;
  rd_kafka_topic_t* topic_ = nullptr;
  std::int32_t partitions_ = 1;
  std::uint64_t taken_ = 0;
};

}  // namespace

Result<std::unique_ptr<RecordOutput>> OpenKafkaOutput(const KafkaOutputOptions& options,
                                                      const StopFlag& stop, const Say& say) {
  auto output = std::make_unique<KafkaOutput>(options, stop, say);
  if (Status opened = output->Open(); !opened) {
    return std::move(opened).error().Within("kafka");
  }
  return std::unique_ptr<RecordOutput>(std::move(output));
}

}  // namespace sash
