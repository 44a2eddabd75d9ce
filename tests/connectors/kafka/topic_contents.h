// The messages of a topic, read from its beginning to its end.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace sash {

struct ReadMessage {
  std::int32_t partition = 0;
  std::string key;
  std::string value;
  std::map<std::string, std::string> headers;
};

// Sorted by partition, then offset. Fails the test when a partition's end is not reached in time.
std::vector<ReadMessage> TopicContents(const std::string& brokers, const std::string& topic,
                                       int partitions = 4);

}  // namespace sash
