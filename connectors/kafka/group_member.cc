#include "connectors/kafka/group_member.h"

#include <librdkafka/rdkafka.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "connectors/kafka/close_consumer.h"
#include "connectors/kafka/consumer_config.h"
#include "connectors/kafka/member_assignment.h"
#include "connectors/kafka/partition_list.h"

namespace sash {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kUnsubscribe{500};

std::string Text(const char* text) { return text == nullptr ? "" : text; }

// Brokers build the id of a member from its instance id (or, without one, its client id), a dash
// and a UUID.
std::string InstanceText(const std::string& member) {
  constexpr std::size_t kSuffix = 1 + 36;
  return member.size() > kSuffix ? member.substr(0, member.size() - kSuffix) : std::string();
}

SeenMember Seen(const rd_kafka_group_member_info& member) {
  return {.client = Text(member.client_id),
          .instance = InstanceText(Text(member.member_id)),
          .host = Text(member.client_host),
          .assigned = ReadAssignment(member.member_assignment, member.member_assignment_size)};
}

// While the coordinator of the group is still being found or created, the error has no text: it is
// not to be reported yet.
Error NotDescribed(rd_kafka_resp_err_t error) {
  if (error == RD_KAFKA_RESP_ERR_NOT_COORDINATOR ||
      error == RD_KAFKA_RESP_ERR_COORDINATOR_NOT_AVAILABLE ||
      error == RD_KAFKA_RESP_ERR_COORDINATOR_LOAD_IN_PROGRESS) {
    return {ErrorCode::kUnavailable, {}};
  }
  if (error == RD_KAFKA_RESP_ERR__UNSUPPORTED_FEATURE) {
    return {ErrorCode::kNotFound, "the brokers cannot list the members of a group"};
  }
  return KafkaError("list the group", error);
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
  bool stuck = false;  // it would not close
  std::string trouble;

  // Called by Serve(), in its thread. The assigned partitions are not read: the reader has assigned
  // all of them to itself.
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
    // librdkafka would join again by itself, and take the place of a member that has joined
    // meanwhile.
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
  ConsumerConfig config(spec);
  if (!spec.options.contains("session.timeout.ms")) {
    config.Set("session.timeout.ms", kSessionMilliseconds);
  }
  config.Set("client.id", client);
  config.Set("group.instance.id", instance);
  config.Set("statistics.interval.ms", "0");
  config.Set("enable.partition.eof", "false");
  rd_kafka_conf_set_opaque(config.native(), handle.get());
  rd_kafka_conf_set_rebalance_cb(config.native(), Handle::Rebalance);
  // The reader logs connections.
  rd_kafka_conf_set_log_cb(config.native(),
                           [](const rd_kafka_t*, int, const char*, const char*) {});
  const Result<rd_kafka_t*> consumer = config.Create();
  if (!consumer) return consumer.error();
  handle->consumer = consumer.value();
  rd_kafka_poll_set_consumer(handle->consumer);
  handle->commits = std::make_unique<OffsetCommits>(handle->consumer);
  return std::unique_ptr<GroupMember>(new GroupMember(std::move(handle)));
}

GroupMember::GroupMember(std::unique_ptr<Handle> handle) : handle_(std::move(handle)) {}

GroupMember::~GroupMember() {
  Leave(std::chrono::seconds(2));
  if (!handle_->stuck) return;
  // librdkafka's threads may still call back.
  static_cast<void>(handle_->commits.release());
  static_cast<void>(handle_.release());
}

Result<std::string> GroupMember::Cluster(milliseconds timeout) {
  char* const name = rd_kafka_clusterid(handle_->consumer, static_cast<int>(timeout.count()));
  if (name == nullptr) return KafkaError("brokers", RD_KAFKA_RESP_ERR__TIMED_OUT);
  std::string cluster = name;
  rd_kafka_mem_free(handle_->consumer, name);
  return cluster;
}

// Does not use DescribeConsumerGroups: in librdkafka 2.0.2 an answer after the timeout ends the
// process (an assertion in rd_kafka_enq_once_del_source_return).
Result<std::vector<SeenMember>> GroupMember::Members(milliseconds timeout) {
  const rd_kafka_group_list* list = nullptr;
  const rd_kafka_resp_err_t error = rd_kafka_list_groups(handle_->consumer, handle_->group.c_str(),
                                                         &list, static_cast<int>(timeout.count()));
  // If a partial list contains the group, its coordinator has answered.
  if (error != RD_KAFKA_RESP_ERR_NO_ERROR && error != RD_KAFKA_RESP_ERR__PARTIAL) {
    return NotDescribed(error);
  }
  std::vector<SeenMember> members;
  rd_kafka_resp_err_t failed = RD_KAFKA_RESP_ERR_NO_ERROR;
  for (int g = 0; g < list->group_cnt; ++g) {
    const rd_kafka_group_info& group = list->groups[g];
    if (group.group == nullptr || handle_->group != group.group) continue;
    if (group.err != RD_KAFKA_RESP_ERR_NO_ERROR) failed = group.err;
    for (int m = 0; m < group.member_cnt; ++m) members.push_back(Seen(group.members[m]));
  }
  rd_kafka_group_list_destroy(list);
  if (failed != RD_KAFKA_RESP_ERR_NO_ERROR) return NotDescribed(failed);
  return members;
}

void GroupMember::SetTopics(std::vector<std::string> topics) {
  handle_->topics = std::move(topics);
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
  if (!CloseConsumer(handle_->consumer, deadline)) {
    handle_->stuck = true;
    return false;
  }
  handle_->commits.reset();
  rd_kafka_destroy_flags(handle_->consumer, RD_KAFKA_DESTROY_F_NO_CONSUMER_CLOSE);
  return true;
}

}  // namespace sash
