// TopicMessage: the bytes of one Kafka message.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sash {

struct TopicMessage {
  std::optional<std::string> key{};    // none: a message without key
  std::optional<std::string> value{};  // none: a tombstone
  std::vector<std::pair<std::string, std::string>> headers{};
  std::optional<std::int32_t> partition{};     // none: the partitioner decides
  std::optional<std::int64_t> timestamp_ms{};  // none: now

  std::size_t bytes() const {
    std::size_t sum = (key ? key->size() : 0) + (value ? value->size() : 0);
    for (const auto& [name, text] : headers) sum += name.size() + text.size();
    return sum;
  }
};

}  // namespace sash
