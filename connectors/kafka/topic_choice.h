// TopicChoice: which topics the source reads: those that are named, or those that match a pattern.
//
// A pattern is a regular expression (RE2), of which any part of a name may match. Topics whose
// names begin with __ never match (Kafka's own), nor do those to which this process writes.
//
// Thread safety: a choice can be used by several threads at once.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "connectors/codec/filter/filter_pattern.h"
#include "connectors/kafka/kafka_spec.h"
#include "windows/base/result.h"
#include "windows/ingest/partition_table.h"

namespace sash {

class TopicChoice {
 public:
  explicit TopicChoice(const KafkaSpec& spec);  // its pattern has passed Check()

  // The error says what RE2 rejects.
  static Status Check(const std::string& pattern);

  // Whether topics may come and go.
  bool is_pattern() const { return pattern_.has_value(); }
  bool Takes(const std::string& topic) const;

 private:
  std::optional<FilterPattern> pattern_;
  std::set<std::string> names_;  // with a pattern: those that do not match
};

// The topics of the partitions, each once, in the order of their names.
std::vector<std::string> TopicsOf(const std::vector<TopicPartition>& pairs);

}  // namespace sash
