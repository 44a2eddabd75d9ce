#include "connectors/kafka/group_member.h"

#include <librdkafka/rdkafka.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <utility>

#include "connectors/kafka/kafka_options.h"
#include "connectors/kafka/partition_list.h"

namespace sash {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kUnsubscribe{500};

std::string Text(const char* text) { return text == nullptr ? "" : text; }

SeenMember Seen(const rd_kafka_MemberDescription_t* member) {
  SeenMember seen{.client = Text(rd_kafka_MemberDescription_client_id(member)),
                  .instance = Text(rd_kafka_MemberDescription_group_instance_id(member)),
                  .host = Text(rd_kafka_MemberDescription_host(member)),
                  .assigned = {}};
  const rd_kafka_MemberAssignment_t* assignment = rd_kafka_MemberDescription_assignment(member);
  const rd_kafka_topic_partition_list_t* list =
      assignment == nullptr ? nullptr : rd_kafka_MemberAssignment_partitions(assignment);
  for (int i = 0; list != nullptr && i < list->cnt; ++i) {
    seen.assigned.push_back({list->elems[i].topic, list->elems[i].partition});
  }
  return seen;
}

// A group whose coordinator is being found, or made, is no trouble yet: such an error has no text.
Error NotDescribed(rd_kafka_resp_err_t error) {
  if (error == RD_KAFKA_RESP_ERR_NOT_COORDINATOR ||
      error == RD_KAFKA_RESP_ERR_COORDINATOR_NOT_AVAILABLE ||
      error == RD_KAFKA_RESP_ERR_COORDINATOR_LOAD_IN_PROGRESS) {
    return {ErrorCode::kUnavailable, {}};
  }
  return KafkaError("describe the group", error);
}

Result<std::vector<SeenMember>> ReadDescription(rd_kafka_event_t* event) {
  if (const rd_kafka_resp_err_t error = rd_kafka_event_error(event)) return NotDescribed(error);
  std::size_t count = 0;
  const rd_kafka_ConsumerGroupDescription_t** groups =
      rd_kafka_DescribeConsumerGroups_result_groups(
          rd_kafka_event_DescribeConsumerGroups_result(event), &count);
  std::vector<SeenMember> members;
  for (std::size_t i = 0; i < count; ++i) {
    if (const rd_kafka_error_t* error = rd_kafka_ConsumerGroupDescription_error(groups[i])) {
      return NotDescribed(rd_kafka_error_code(error));
    }
    for (std::size_t m = 0; m < rd_kafka_ConsumerGroupDescription_member_count(groups[i]); ++m) {
      members.push_back(Seen(rd_kafka_ConsumerGroupDescription_member(groups[i], m)));
    }
  }
  return members;
}

}  // namespace

struct GroupMember::Handle {
  rd_kafka_t* consumer = nullptr;
  std::unique_ptr<OffsetCommits> commits;
  std::string group;
  std::vector<std::string> topics;
  bool subscribed = false;
  bool in = false;
  bool lost = false;
  bool replaced = false;
  bool closed = false;
  std::string trouble;

  // Called by Serve(), in its thread. What is assigned is not read: the reader has assigned it all to
  // itself.
  static void Rebalance(rd_kafka_t* consumer, rd_kafka_resp_err_t error,
                        rd_kafka_topic_partition_list_t*, void* opaque) {
    auto* handle = static_cast<Handle*>(opaque);
    if (error == RD_KAFKA_RESP_ERR__ASSIGN_PARTITIONS) {
      const PartitionList nothing = MakePartitionList(std::span<const TopicPartition>());
      rd_kafka_assign(consumer, nothing.get());
      handle->in = true;
      handle->trouble.clear();
      return;
    }
    // librdkafka would join again by itself, and take the place of whoever has come meanwhile.
    if (handle->in && rd_kafka_assignment_lost(consumer) != 0) {
      handle->lost = true;
      handle->subscribed = false;
      rd_kafka_unsubscribe(consumer);
    }
    handle->in = false;
    rd_kafka_assign(consumer, nullptr);
  }
};

Result<std::unique_ptr<GroupMember>> GroupMember::Open(const KafkaSpec& spec,
                                                       const std::string& client,
                                                       const std::string& instance) {
  auto handle = std::make_unique<Handle>();
  handle->group = spec.group;
  handle->topics = spec.topics;
  rd_kafka_conf_t* conf = rd_kafka_conf_new();
  std::array<char, 512> text{};
  const auto set = [&](const char* key, const std::string& value) {
    return rd_kafka_conf_set(conf, key, value.c_str(), text.data(), text.size()) ==
           RD_KAFKA_CONF_OK;
  };
  // What is wrong with the user's options has been said by the reader.
  const bool fits = ApplyKafkaOptions(spec, conf).empty() &&
                    (spec.options.contains("session.timeout.ms") ||
                     set("session.timeout.ms", kSessionMilliseconds)) &&
                    set("bootstrap.servers", spec.brokers) && set("client.id", client) &&
                    set("group.instance.id", instance) && set("statistics.interval.ms", "0") &&
                    set("enable.partition.eof", "false");
  rd_kafka_conf_set_opaque(conf, handle.get());
  rd_kafka_conf_set_rebalance_cb(conf, Handle::Rebalance);
  // Of connections the reader tells.
  rd_kafka_conf_set_log_cb(conf, [](const rd_kafka_t*, int, const char*, const char*) {});
  if (fits) handle->consumer = rd_kafka_new(RD_KAFKA_CONSUMER, conf, text.data(), text.size());
  if (handle->consumer == nullptr) {
    rd_kafka_conf_destroy(conf);
    return Error{ErrorCode::kInvalidArgument, std::string("source.kafka.options: ") + text.data()};
  }
  rd_kafka_poll_set_consumer(handle->consumer);
  handle->commits = std::make_unique<OffsetCommits>(handle->consumer);
  return std::unique_ptr<GroupMember>(new GroupMember(std::move(handle)));
}

GroupMember::GroupMember(std::unique_ptr<Handle> handle) : handle_(std::move(handle)) {}

GroupMember::~GroupMember() { Leave(std::chrono::seconds(2)); }

Result<std::string> GroupMember::Cluster(milliseconds timeout) {
  char* const name = rd_kafka_clusterid(handle_->consumer, static_cast<int>(timeout.count()));
  if (name == nullptr) return KafkaError("brokers", RD_KAFKA_RESP_ERR__TIMED_OUT);
  std::string cluster = name;
  rd_kafka_mem_free(handle_->consumer, name);
  return cluster;
}

Result<std::vector<SeenMember>> GroupMember::Members(milliseconds timeout) {
  rd_kafka_t* const consumer = handle_->consumer;
  std::array<char, 512> text{};
  rd_kafka_AdminOptions_t* options =
      rd_kafka_AdminOptions_new(consumer, RD_KAFKA_ADMIN_OP_DESCRIBECONSUMERGROUPS);
  rd_kafka_AdminOptions_set_request_timeout(options, static_cast<int>(timeout.count()), text.data(),
                                            text.size());
  rd_kafka_queue_t* answers = rd_kafka_queue_new(consumer);
  const char* names = handle_->group.c_str();
  rd_kafka_DescribeConsumerGroups(consumer, &names, 1, options, answers);
  rd_kafka_event_t* event = rd_kafka_queue_poll(answers, static_cast<int>(timeout.count()) + 500);
  Result<std::vector<SeenMember>> members =
      event == nullptr ? KafkaError("describe the group", RD_KAFKA_RESP_ERR__TIMED_OUT)
                       : ReadDescription(event);
  if (event != nullptr) rd_kafka_event_destroy(event);
  rd_kafka_queue_destroy(answers);
  rd_kafka_AdminOptions_destroy(options);
  return members;
}

Status GroupMember::Join() {
  PartitionList topics(rd_kafka_topic_partition_list_new(static_cast<int>(handle_->topics.size())));
  for (const std::string& topic : handle_->topics) {
    rd_kafka_topic_partition_list_add(topics.get(), topic.c_str(), RD_KAFKA_PARTITION_UA);
  }
  const rd_kafka_resp_err_t error = rd_kafka_subscribe(handle_->consumer, topics.get());
  if (error != RD_KAFKA_RESP_ERR_NO_ERROR) return KafkaError("join the group", error);
  handle_->subscribed = true;
  return Ok{};
}

void GroupMember::Serve() {
  while (rd_kafka_message_t* message = rd_kafka_consumer_poll(handle_->consumer, 0)) {
    if (message->err != RD_KAFKA_RESP_ERR_NO_ERROR) {
      handle_->trouble = rd_kafka_message_errstr(message);
    }
    rd_kafka_message_destroy(message);
  }
  if (handle_->replaced) return;
  std::array<char, 512> text{};
  const rd_kafka_resp_err_t error =
      rd_kafka_fatal_error(handle_->consumer, text.data(), text.size());
  if (error == RD_KAFKA_RESP_ERR_NO_ERROR) return;
  handle_->replaced = true;
  handle_->in = false;
  handle_->trouble = text.data();
}

bool GroupMember::is_in() const { return handle_->in; }
bool GroupMember::TakeLoss() { return std::exchange(handle_->lost, false); }
bool GroupMember::is_replaced() const { return handle_->replaced; }
const std::string& GroupMember::trouble() const { return handle_->trouble; }
OffsetCommits& GroupMember::commits() { return *handle_->commits; }

bool GroupMember::Leave(milliseconds timeout) {
  if (std::exchange(handle_->closed, true)) return true;
  const auto deadline = std::chrono::steady_clock::now() + timeout;
  // A static member that only closes stays in the group until its session's end; one that
  // unsubscribes leaves it.
  if (handle_->subscribed && !handle_->replaced) {
    rd_kafka_unsubscribe(handle_->consumer);
    const auto unsubscribed = std::chrono::steady_clock::now() + std::min(timeout, kUnsubscribe);
    while (handle_->in && std::chrono::steady_clock::now() < unsubscribed) {
      if (auto* message = rd_kafka_consumer_poll(handle_->consumer, 5)) {
        rd_kafka_message_destroy(message);
      }
    }
  }
  rd_kafka_queue_t* queue = rd_kafka_queue_new(handle_->consumer);
  if (rd_kafka_error_t* error = rd_kafka_consumer_close_queue(handle_->consumer, queue)) {
    rd_kafka_error_destroy(error);  // closed already
  }
  while (rd_kafka_consumer_closed(handle_->consumer) == 0 &&
         std::chrono::steady_clock::now() < deadline) {
    rd_kafka_event_t* event = rd_kafka_queue_poll(queue, 20);
    if (event == nullptr) continue;
    if (rd_kafka_event_type(event) == RD_KAFKA_EVENT_REBALANCE) {
      rd_kafka_assign(handle_->consumer, nullptr);
    }
    rd_kafka_event_destroy(event);
  }
  if (rd_kafka_consumer_closed(handle_->consumer) == 0) {
    static_cast<void>(handle_->commits.release());
    static_cast<void>(handle_.release());  // librdkafka's threads may still call back
    return false;
  }
  rd_kafka_queue_destroy(queue);
  handle_->commits.reset();
  rd_kafka_destroy_flags(handle_->consumer, RD_KAFKA_DESTROY_F_NO_CONSUMER_CLOSE);
  return true;
}

}  // namespace sash
