#include "connectors/kafka/topic_policy.h"

#include <fmt/format.h>
#include <librdkafka/rdkafka.h>

#include <array>
#include <memory>
#include <string_view>

#include "connectors/kafka/partition_list.h"

namespace sash {
namespace {

Result<bool> ReadPolicy(rd_kafka_event_t* event, const std::string& what) {
  const auto* result = rd_kafka_event_DescribeConfigs_result(event);
  if (result == nullptr || rd_kafka_event_error(event) != RD_KAFKA_RESP_ERR_NO_ERROR) {
    return KafkaError(what, rd_kafka_event_error(event));
  }
  std::size_t count = 0;
  const rd_kafka_ConfigResource_t** resources =
      rd_kafka_DescribeConfigs_result_resources(result, &count);
  if (count != 1) return Error{ErrorCode::kUnavailable, what + ": no answer"};
  const rd_kafka_resp_err_t error = rd_kafka_ConfigResource_error(resources[0]);
  if (error != RD_KAFKA_RESP_ERR_NO_ERROR) return KafkaError(what, error);
  const rd_kafka_ConfigEntry_t** entries = rd_kafka_ConfigResource_configs(resources[0], &count);
  for (std::size_t i = 0; i < count; ++i) {
    const char* value = rd_kafka_ConfigEntry_value(entries[i]);
    if (std::string_view(rd_kafka_ConfigEntry_name(entries[i])) != "cleanup.policy") continue;
    return value != nullptr && std::string_view(value).find("compact") != std::string_view::npos;
  }
  return Error{ErrorCode::kUnavailable, what + ": it has no cleanup.policy"};
}

}  // namespace

Result<bool> IsTopicCompacted(rd_kafka_s* client, const std::string& topic,
                              std::chrono::milliseconds timeout) {
  const std::string what = fmt::format("configuration of topic {}", topic);
  const std::unique_ptr<rd_kafka_AdminOptions_t, void (*)(rd_kafka_AdminOptions_t*)> options(
      rd_kafka_AdminOptions_new(client, RD_KAFKA_ADMIN_OP_DESCRIBECONFIGS),
      rd_kafka_AdminOptions_destroy);
  std::array<char, 256> text{};
  rd_kafka_AdminOptions_set_request_timeout(options.get(), static_cast<int>(timeout.count()),
                                            text.data(), text.size());
  const std::unique_ptr<rd_kafka_queue_t, void (*)(rd_kafka_queue_t*)> answers(
      rd_kafka_queue_new(client), rd_kafka_queue_destroy);
  std::array<rd_kafka_ConfigResource_t*, 1> resources = {
      rd_kafka_ConfigResource_new(RD_KAFKA_RESOURCE_TOPIC, topic.c_str())};
  rd_kafka_DescribeConfigs(client, resources.data(), 1, options.get(), answers.get());
  rd_kafka_ConfigResource_destroy(resources[0]);
  const std::unique_ptr<rd_kafka_event_t, void (*)(rd_kafka_event_t*)> event(
      rd_kafka_queue_poll(answers.get(), static_cast<int>(timeout.count()) + 100),
      rd_kafka_event_destroy);
  if (event == nullptr) return Error{ErrorCode::kUnavailable, what + ": no answer"};
  return ReadPolicy(event.get(), what);
}

}  // namespace sash
