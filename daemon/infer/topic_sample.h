// The newest records of a topic as a text of lines, one for each record.
//
// Thread safety: a function.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "connectors/kafka/kafka_spec.h"
#include "daemon/infer/sample_text.h"
#include "windows/base/result.h"

namespace sash {

// About this many records are read, of all partitions together.
inline constexpr std::int64_t kTopicSampleRecords = 2000;

// Reads without a group, and commits nothing. Only the brokers and the connection options of
// `kafka` are used. Records are in the order of their Kafka timestamps; those without a value are
// left out. Line breaks in a JSON record become blanks. The error says why there is no sample, and
// what to do: also if the records are not text, or have the frame of a Schema Registry.
Result<SampleText> ReadTopicSample(const KafkaSpec& kafka, const std::string& topic);

}  // namespace sash
