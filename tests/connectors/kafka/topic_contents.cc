#include "tests/connectors/kafka/topic_contents.h"

#include <gtest/gtest.h>
#include <librdkafka/rdkafka.h>

#include <algorithm>
#include <array>
#include <chrono>

namespace sash {
namespace {

std::string Text(const void* bytes, std::size_t size) {
  return bytes == nullptr ? "" : std::string(static_cast<const char*>(bytes), size);
}

ReadMessage Copy(const rd_kafka_message_t& message) {
  ReadMessage copy{.partition = message.partition,
                   .key = Text(message.key, message.key_len),
                   .value = Text(message.payload, message.len),
                   .headers = {}};
  rd_kafka_headers_t* headers = nullptr;
  if (rd_kafka_message_headers(&message, &headers) != RD_KAFKA_RESP_ERR_NO_ERROR) return copy;
  const char* name = nullptr;
  const void* value = nullptr;
  std::size_t size = 0;
  for (std::size_t i = 0;
       rd_kafka_header_get_all(headers, i, &name, &value, &size) == RD_KAFKA_RESP_ERR_NO_ERROR;
       ++i) {
    copy.headers[name] = Text(value, size);
  }
  return copy;
}

rd_kafka_t* Consumer(const std::string& brokers) {
  rd_kafka_conf_t* conf = rd_kafka_conf_new();
  rd_kafka_conf_set_log_cb(conf, [](const rd_kafka_t*, int, const char*, const char*) {});
  std::array<char, 512> text{};
  const std::vector<std::pair<const char*, std::string>> options = {
      {"bootstrap.servers", brokers},
      {"group.id", "topic-contents"},
      {"enable.partition.eof", "true"},
      {"auto.offset.reset", "earliest"},
      {"enable.auto.commit", "false"}};
  for (const auto& [key, value] : options) {
    rd_kafka_conf_set(conf, key, value.c_str(), text.data(), text.size());
  }
  return rd_kafka_new(RD_KAFKA_CONSUMER, conf, text.data(), text.size());
}

}  // namespace

std::vector<ReadMessage> TopicContents(const std::string& brokers, const std::string& topic,
                                       int partitions) {
  rd_kafka_t* consumer = Consumer(brokers);
  rd_kafka_topic_partition_list_t* all = rd_kafka_topic_partition_list_new(partitions);
  for (int i = 0; i < partitions; ++i) {
    rd_kafka_topic_partition_list_add(all, topic.c_str(), i)->offset = RD_KAFKA_OFFSET_BEGINNING;
  }
  rd_kafka_assign(consumer, all);
  rd_kafka_topic_partition_list_destroy(all);
  std::vector<ReadMessage> messages;
  int ended = 0;
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (ended < partitions && std::chrono::steady_clock::now() < deadline) {
    rd_kafka_message_t* message = rd_kafka_consumer_poll(consumer, 100);
    if (message == nullptr) continue;
    if (message->err == RD_KAFKA_RESP_ERR_NO_ERROR) messages.push_back(Copy(*message));
    if (message->err == RD_KAFKA_RESP_ERR__PARTITION_EOF) ++ended;
    rd_kafka_message_destroy(message);
  }
  EXPECT_EQ(ended, partitions) << "partitions of " << topic << " read to their end";
  rd_kafka_destroy(consumer);
  std::ranges::stable_sort(messages, {}, &ReadMessage::partition);
  return messages;
}

}  // namespace sash
