#include "connectors/sinks/kafka/topic_producer.h"

#include <fmt/format.h>
#include <librdkafka/rdkafka.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "connectors/sinks/kafka/producer_options.h"

namespace sash {
namespace {

constexpr const char* kNoOffset = "no broker has reported the offset of the message";

// The output of the callbacks. They run inside rd_kafka_poll(), in the polling thread.
struct Inbox {
  bool is_idempotent = false;
  std::vector<TopicProducer::Report> reports;
  std::string complaint;  // newest error of one connection: more exact than "all brokers down"
  bool trouble = false;
};

TopicProducer::Outcome OutcomeOf(rd_kafka_resp_err_t error) {
  switch (error) {
    case RD_KAFKA_RESP_ERR_NO_ERROR:
      return TopicProducer::Outcome::kDelivered;
    case RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE:
    case RD_KAFKA_RESP_ERR_RECORD_LIST_TOO_LARGE:
      return TopicProducer::Outcome::kTooLarge;
    case RD_KAFKA_RESP_ERR_INVALID_RECORD:
    case RD_KAFKA_RESP_ERR_INVALID_MSG_SIZE:
    case RD_KAFKA_RESP_ERR_INVALID_TIMESTAMP:
      return TopicProducer::Outcome::kRefused;
    default:
      return TopicProducer::Outcome::kFailed;
  }
}

// Whether librdkafka only concludes that the message is in the topic: invariant (3).
bool IsUncertain(const rd_kafka_message_t& message, const Inbox& inbox) {
  return inbox.is_idempotent && message.err == RD_KAFKA_RESP_ERR_NO_ERROR && message.offset < 0;
}

void OnDelivery(rd_kafka_t*, const rd_kafka_message_t* message, void* opaque) {
  auto& inbox = *static_cast<Inbox*>(opaque);
  TopicProducer::Report report{.id = reinterpret_cast<std::uintptr_t>(message->_private),
                               .outcome = OutcomeOf(message->err),
                               .why = {},
                               .partition = message->partition,
                               .offset = message->offset};
  if (IsUncertain(*message, inbox)) {
    report.outcome = TopicProducer::Outcome::kFailed;
    report.why = kNoOffset;
  } else if (report.outcome != TopicProducer::Outcome::kDelivered) {
    report.why = rd_kafka_err2str(message->err);
  }
  inbox.reports.push_back(std::move(report));
}

void OnError(rd_kafka_t*, int code, const char* reason, void* opaque) {
  auto& inbox = *static_cast<Inbox*>(opaque);
  if (code != RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN) inbox.complaint = reason;
  inbox.trouble = true;
}

// Runs in any of librdkafka's threads.
std::int32_t PartitionOf(const rd_kafka_topic_t* topic, const void* key, std::size_t key_bytes,
                         std::int32_t partitions, void*, void*) {
  const std::string_view origin = OriginOfKey({static_cast<const char*>(key), key_bytes});
  return rd_kafka_msg_partitioner_murmur2(topic, origin.data(), origin.size(), partitions, nullptr,
                                          nullptr);
}

bool IsIdempotent(const rd_kafka_conf_t* conf) {
  std::array<char, 8> value{};
  std::size_t size = value.size();
  return rd_kafka_conf_get(conf, "enable.idempotence", value.data(), &size) == RD_KAFKA_CONF_OK &&
         std::string_view(value.data()) == "true";
}

Error WrongOption(const KafkaOptionError& error) {
  return {ErrorCode::kInvalidArgument,
          error.key.empty() ? error.what : fmt::format("option {}: {}", error.key, error.what)};
}

}  // namespace

struct TopicProducer::Handle {
  std::string topic;
  Inbox inbox;
  rd_kafka_t* producer = nullptr;
  rd_kafka_topic_t* destination = nullptr;

  ~Handle() {
    if (destination != nullptr) rd_kafka_topic_destroy(destination);
    if (producer == nullptr) return;
    rd_kafka_purge(producer, RD_KAFKA_PURGE_F_QUEUE | RD_KAFKA_PURGE_F_INFLIGHT);
    rd_kafka_destroy(producer);
  }
};

std::string_view OriginOfKey(std::string_view key) {
  // The alerts of a job are in one partition, in order, whatever they are about; and so are its
  // rows, its results that are not final, and those on earlier windows. Names of jobs, windows and
  // alerts have no commas.
  key = key.substr(0, key.find(",\"cut\":{"));
  key = key.substr(0, key.find(",\"past\":"));
  const std::size_t subject = key.find(",\"subject\":");
  std::size_t last = std::min(subject, key.rfind(",\""));
  if (last != std::string_view::npos && key.substr(last).starts_with(",\"row\":")) {
    last = key.rfind(",\"", last - 1);
  }
  return last == std::string_view::npos ? key : key.substr(0, last);
}

std::size_t MostMessageBytes(const std::map<std::string, std::string>& options) {
  std::size_t bytes = 1'000'000;  // librdkafka's default
  const auto set = options.find("message.max.bytes");
  if (set != options.end()) {
    static_cast<void>(
        std::from_chars(set->second.data(), set->second.data() + set->second.size(), bytes));
  }
  return bytes;
}

Result<std::unique_ptr<TopicProducer>> TopicProducer::Open(
    const std::string& brokers, const std::string& topic,
    const std::map<std::string, std::string>& options, Spread spread,
    const std::string& transactional_id) {
  auto handle = std::make_unique<Handle>();
  handle->topic = topic;
  rd_kafka_conf_t* conf = rd_kafka_conf_new();
  const std::vector<KafkaOptionError> wrong = ApplyProducerOptions(options, transactional_id, conf);
  if (!wrong.empty()) {
    rd_kafka_conf_destroy(conf);
    return WrongOption(wrong.front());
  }
  std::array<char, kKafkaErrorBytes> text{};
  rd_kafka_conf_set(conf, "bootstrap.servers", brokers.c_str(), text.data(), text.size());
  // A transactional id implies it, but this is not seen in the options.
  handle->inbox.is_idempotent = IsIdempotent(conf) || !transactional_id.empty();
  rd_kafka_conf_set_opaque(conf, &handle->inbox);
  rd_kafka_conf_set_dr_msg_cb(conf, OnDelivery);
  rd_kafka_conf_set_error_cb(conf, OnError);
  // No log: errors also reach OnError().
  rd_kafka_conf_set_log_cb(conf, [](const rd_kafka_t*, int, const char*, const char*) {});
  if (spread == Spread::kByOrigin) {
    // The default topic configuration exists, because an option of topics has been set.
    rd_kafka_topic_conf_set_partitioner_cb(rd_kafka_conf_get_default_topic_conf(conf), PartitionOf);
  } else {
    rd_kafka_conf_set(conf, "partitioner", "murmur2_random", text.data(), text.size());
  }
  handle->producer = rd_kafka_new(RD_KAFKA_PRODUCER, conf, text.data(), text.size());
  if (handle->producer == nullptr) {
    rd_kafka_conf_destroy(conf);
    return Error{ErrorCode::kInvalidArgument, text.data()};
  }
  handle->destination = rd_kafka_topic_new(handle->producer, topic.c_str(), nullptr);
  if (handle->destination == nullptr) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("topic {}: {}", topic, rd_kafka_err2str(rd_kafka_last_error()))};
  }
  return std::unique_ptr<TopicProducer>(new TopicProducer(std::move(handle)));
}

TopicProducer::TopicProducer(std::unique_ptr<Handle> handle) : handle_(std::move(handle)) {}

TopicProducer::~TopicProducer() = default;

Result<TopicProducer::Sent> TopicProducer::Send(std::uint64_t id, const TopicMessage& message) {
  rd_kafka_headers_t* const headers = rd_kafka_headers_new(message.headers.size());
  for (const auto& [name, text] : message.headers) {
    rd_kafka_header_add(headers, name.data(), static_cast<ssize_t>(name.size()), text.data(),
                        static_cast<ssize_t>(text.size()));
  }
  // librdkafka copies the bytes. A null address means no value or no key.
  const auto address = [](const std::optional<std::string>& bytes) {
    return bytes ? const_cast<char*>(bytes->data()) : nullptr;
  };
  const auto size = [](const std::optional<std::string>& bytes) {
    return bytes ? bytes->size() : std::size_t{0};
  };
  const rd_kafka_resp_err_t error =
      rd_kafka_producev(handle_->producer, RD_KAFKA_V_RKT(handle_->destination),
                        RD_KAFKA_V_PARTITION(message.partition.value_or(RD_KAFKA_PARTITION_UA)),
                        RD_KAFKA_V_MSGFLAGS(RD_KAFKA_MSG_F_COPY),
                        RD_KAFKA_V_VALUE(address(message.value), size(message.value)),
                        RD_KAFKA_V_KEY(address(message.key), size(message.key)),
                        RD_KAFKA_V_TIMESTAMP(message.timestamp_ms.value_or(0)),
                        RD_KAFKA_V_OPAQUE(reinterpret_cast<void*>(static_cast<std::uintptr_t>(id))),
                        RD_KAFKA_V_HEADERS(headers), RD_KAFKA_V_END);
  if (error == RD_KAFKA_RESP_ERR_NO_ERROR) return Sent::kTaken;
  rd_kafka_headers_destroy(headers);  // only a message that was taken owns them
  if (error == RD_KAFKA_RESP_ERR__QUEUE_FULL) return Sent::kFull;
  if (OutcomeOf(error) == TopicProducer::Outcome::kTooLarge) return Sent::kTooLarge;
  return Error{ErrorCode::kUnavailable, rd_kafka_err2str(error)};
}

rd_kafka_s* TopicProducer::native() { return handle_->producer; }

std::vector<TopicProducer::Report> TopicProducer::Poll(std::chrono::milliseconds patience) {
  rd_kafka_poll(handle_->producer, static_cast<int>(patience.count()));
  return std::exchange(handle_->inbox.reports, {});
}

std::optional<std::string> TopicProducer::TakeTrouble() {
  if (!std::exchange(handle_->inbox.trouble, false)) return std::nullopt;
  return handle_->inbox.complaint;
}

std::optional<std::string> TopicProducer::Fatal() const {
  std::array<char, kKafkaErrorBytes> text{};
  if (rd_kafka_fatal_error(handle_->producer, text.data(), text.size()) ==
      RD_KAFKA_RESP_ERR_NO_ERROR) {
    return std::nullopt;
  }
  return std::string(text.data());
}

Status TopicProducer::Probe(std::chrono::milliseconds patience) {
  const rd_kafka_metadata_t* found = nullptr;
  const rd_kafka_resp_err_t error = rd_kafka_metadata(handle_->producer, 0, handle_->destination,
                                                      &found, static_cast<int>(patience.count()));
  if (error != RD_KAFKA_RESP_ERR_NO_ERROR) {
    const std::string& complaint = handle_->inbox.complaint;
    return Error{ErrorCode::kUnavailable,
                 fmt::format("no broker can be reached: {}",
                             complaint.empty() ? rd_kafka_err2str(error) : complaint)};
  }
  const rd_kafka_resp_err_t of_topic =
      found->topic_cnt == 1 ? found->topics[0].err : RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART;
  rd_kafka_metadata_destroy(found);
  if (of_topic == RD_KAFKA_RESP_ERR_NO_ERROR) return Ok{};
  return Error{ErrorCode::kNotFound,
               fmt::format("topic {}: {}", handle_->topic, rd_kafka_err2str(of_topic))};
}

}  // namespace sash
