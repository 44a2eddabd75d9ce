#include "connectors/kafka/reachability.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

namespace sash {
namespace {

using Json = nlohmann::json;

std::set<std::int64_t> ConnectedBrokers(const Json& statistics) {
  std::set<std::int64_t> connected;
  for (const auto& [name, broker] : statistics.at("brokers").items()) {
    const std::string& state = broker.at("state").get_ref<const std::string&>();
    if (state == "UP" || state == "UPDATE")
      connected.insert(broker.at("nodeid").get<std::int64_t>());
  }
  return connected;
}

}  // namespace

std::optional<std::vector<PartitionReach>> ReadReachability(std::string_view statistics) try {
  const Json json = Json::parse(statistics);
  const std::set<std::int64_t> connected = ConnectedBrokers(json);
  std::vector<PartitionReach> reaches;
  for (const auto& [topic, topic_statistics] : json.at("topics").items()) {
    for (const auto& [name, partition] : topic_statistics.at("partitions").items()) {
      const auto number = partition.at("partition").get<std::int32_t>();
      if (number < 0) continue;  // librdkafka's place for messages without a partition
      const auto broker = partition.at("broker").get<std::int64_t>();
      reaches.push_back({{topic, number}, broker >= 0 && connected.contains(broker)});
    }
  }
  std::ranges::sort(reaches, {}, &PartitionReach::pair);
  return reaches;
} catch (const Json::exception&) {
  return std::nullopt;
}

}  // namespace sash
