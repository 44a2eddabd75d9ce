#include "daemon/generate/kafka_topic.h"

#include <fmt/format.h>
#include <librdkafka/rdkafka.h>

#include <algorithm>
#include <array>
#include <optional>

#include "windows/base/clock.h"

namespace sash {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr milliseconds kAttempt{1000};
constexpr seconds kSayEvery{5};
constexpr int kCreateMilliseconds = 10'000;

struct TopicState {
  std::optional<std::int32_t> partitions;  // all of which have a leader
  std::string reason;                      // why they do not yet
};

TopicState Describe(const rd_kafka_metadata_topic& topic) {
  if (topic.err != RD_KAFKA_RESP_ERR_NO_ERROR) return {std::nullopt, rd_kafka_err2str(topic.err)};
  if (topic.partition_cnt == 0) return {std::nullopt, "it has no partitions"};
  for (int i = 0; i < topic.partition_cnt; ++i) {
    if (topic.partitions[i].leader < 0) {
      return {std::nullopt, fmt::format("partition {} has no leader", topic.partitions[i].id)};
    }
  }
  return {topic.partition_cnt, {}};
}

// Waits with a deadline, prints a line every few seconds, and watches the stop flag.
class Patience {
 public:
  Patience(milliseconds timeout, const StopFlag& stop, const Say& say)
      : next_word_(std::chrono::steady_clock::now()),
        end_(next_word_ + timeout),
        stop_(stop),
        say_(say) {}

  bool over() const { return stop_.load() || std::chrono::steady_clock::now() >= end_; }
  int AttemptMilliseconds() const {
    const auto left =
        std::chrono::ceil<milliseconds>(end_ - std::chrono::steady_clock::now()).count();
    return static_cast<int>(std::clamp<std::int64_t>(left, 1, kAttempt.count()));
  }
  void Explain(const std::string& reason) {
    const SteadyTime now = std::chrono::steady_clock::now();
    if (now < next_word_) return;
    next_word_ = now + kSayEvery;
    const auto left = std::chrono::ceil<seconds>(end_ - now).count();
    say_(fmt::format("{}; trying for {} s more", reason, std::max<std::int64_t>(left, 0)));
  }

 private:
  SteadyTime next_word_;
  SteadyTime end_;
  const StopFlag& stop_;
  const Say& say_;
};

class TopicSetup {
 public:
  TopicSetup(rd_kafka_s* producer, const KafkaOutputOptions& options, const std::string& trouble,
             const StopFlag& stop, const Say& say)
      : producer_(producer),
        options_(options),
        trouble_(trouble),
        patience_(options.connect_timeout, stop, say) {}

  // Any broker that responds is enough. Listing all topics does not create ours.
  Status AwaitBroker() {
    const struct rd_kafka_metadata* answer = nullptr;
    while (true) {
      const rd_kafka_resp_err_t error =
          rd_kafka_metadata(producer_, 1, nullptr, &answer, patience_.AttemptMilliseconds());
      rd_kafka_poll(producer_, 0);
      if (error == RD_KAFKA_RESP_ERR_NO_ERROR) break;
      const std::string reason =
          fmt::format("no broker answers at {}: {}", options_.brokers,
                      trouble_.empty() ? rd_kafka_err2str(error) : trouble_.c_str());
      if (patience_.over()) return Error{ErrorCode::kUnavailable, reason};
      patience_.Explain(reason);
      rd_kafka_poll(producer_, 200);  // paces attempts that fail at once
    }
    for (int i = 0; i < answer->topic_cnt; ++i) {
      if (answer->topics[i].topic == options_.topic) exists_ = true;
    }
    const std::int32_t controller =
        rd_kafka_controllerid(producer_, patience_.AttemptMilliseconds());
    for (int i = 0; i < answer->broker_cnt; ++i) {
      if (answer->brokers[i].id == controller) has_controller_ = true;
    }
    rd_kafka_metadata_destroy(answer);
    return Ok{};
  }

  // A cluster without a controller (librdkafka's mock) cannot create topics, but creates one when
  // asked for its metadata, so that is left to AwaitPartitions().
  Status CreateUnlessThere() {
    if (exists_ || !has_controller_) return Ok{};
    std::array<char, 512> text{};
    rd_kafka_NewTopic_t* topic = rd_kafka_NewTopic_new(options_.topic.c_str(), options_.partitions,
                                                       -1, text.data(), text.size());
    if (topic == nullptr) return Error{ErrorCode::kInvalidArgument, Failed("create", text.data())};
    rd_kafka_queue_t* queue = rd_kafka_queue_new(producer_);
    rd_kafka_AdminOptions_t* admin =
        rd_kafka_AdminOptions_new(producer_, RD_KAFKA_ADMIN_OP_CREATETOPICS);
    rd_kafka_AdminOptions_set_request_timeout(admin, kCreateMilliseconds, text.data(), text.size());
    rd_kafka_CreateTopics(producer_, &topic, 1, admin, queue);
    rd_kafka_event_t* event = rd_kafka_queue_poll(queue, kCreateMilliseconds + 1000);
    Status created = ReadCreation(event);
    if (event != nullptr) rd_kafka_event_destroy(event);
    rd_kafka_queue_destroy(queue);
    rd_kafka_AdminOptions_destroy(admin);
    rd_kafka_NewTopic_destroy(topic);
    return created;
  }

  Result<std::int32_t> AwaitPartitions() {
    rd_kafka_topic_t* handle = rd_kafka_topic_new(producer_, options_.topic.c_str(), nullptr);
    if (handle == nullptr) {
      return Error{ErrorCode::kInvalidArgument,
                   Failed("open", rd_kafka_err2str(rd_kafka_last_error()))};
    }
    TopicState state = Ask(handle);
    while (!state.partitions && !patience_.over()) {
      patience_.Explain(Failed("await", state.reason));
      rd_kafka_poll(producer_, 200);
      state = Ask(handle);
    }
    rd_kafka_topic_destroy(handle);
    if (!state.partitions) return Error{ErrorCode::kUnavailable, Failed("await", state.reason)};
    if (*state.partitions < options_.partitions) {
      return Error{ErrorCode::kUnavailable,
                   Failed("open", fmt::format("it has {} partitions, {} were asked for",
                                              *state.partitions, options_.partitions))};
    }
    return options_.partitions == 0 ? *state.partitions : options_.partitions;
  }

 private:
  std::string Failed(std::string_view attempt, std::string_view why) const {
    return fmt::format("{} topic {}: {}", attempt, options_.topic, why);
  }

  TopicState Ask(rd_kafka_topic_t* handle) {
    const struct rd_kafka_metadata* answer = nullptr;
    const rd_kafka_resp_err_t error =
        rd_kafka_metadata(producer_, 0, handle, &answer, patience_.AttemptMilliseconds());
    rd_kafka_poll(producer_, 0);
    if (error != RD_KAFKA_RESP_ERR_NO_ERROR) return {std::nullopt, rd_kafka_err2str(error)};
    TopicState state{std::nullopt, "the broker does not know it"};
    if (answer->topic_cnt == 1) state = Describe(answer->topics[0]);
    rd_kafka_metadata_destroy(answer);
    return state;
  }

  // A topic that another process created meanwhile is fine.
  Status ReadCreation(rd_kafka_event_t* event) const {
    const rd_kafka_CreateTopics_result_t* result =
        event == nullptr ? nullptr : rd_kafka_event_CreateTopics_result(event);
    if (result == nullptr) return Error{ErrorCode::kUnavailable, Failed("create", "no answer")};
    rd_kafka_resp_err_t error = rd_kafka_event_error(event);
    const char* why = rd_kafka_event_error_string(event);
    std::size_t count = 0;
    const rd_kafka_topic_result_t** topics = rd_kafka_CreateTopics_result_topics(result, &count);
    if (error == RD_KAFKA_RESP_ERR_NO_ERROR && count == 1) {
      error = rd_kafka_topic_result_error(topics[0]);
      why = rd_kafka_topic_result_error_string(topics[0]);
    }
    switch (error) {
      case RD_KAFKA_RESP_ERR_NO_ERROR:
      case RD_KAFKA_RESP_ERR_TOPIC_ALREADY_EXISTS:
        return Ok{};
      default:
        return Error{ErrorCode::kUnavailable,
                     Failed("create", why != nullptr ? why : rd_kafka_err2str(error))};
    }
  }

  rd_kafka_s* producer_;
  const KafkaOutputOptions& options_;
  const std::string& trouble_;
  Patience patience_;
  bool exists_ = false;
  bool has_controller_ = false;
};

}  // namespace

Result<std::int32_t> AwaitTopic(rd_kafka_s* producer, const KafkaOutputOptions& options,
                                const std::string& trouble, const StopFlag& stop, const Say& say) {
  TopicSetup setup(producer, options, trouble, stop, say);
  if (Status reached = setup.AwaitBroker(); !reached) return std::move(reached).error();
  if (options.create_topic) {
    if (Status created = setup.CreateUnlessThere(); !created) return std::move(created).error();
  }
  return setup.AwaitPartitions();
}

}  // namespace sash
