// sashd --infer: prints a configuration for records whose format is not known.
//
// Thread safety: belongs to one thread.
#pragma once

#include <string>

#include "connectors/kafka/kafka_spec.h"

namespace sash {

// The records of a file; "-" is standard input. Returns the exit code: 1 when the file cannot be
// read, when source and target are not clear, or when standard output cannot be written.
int InferFile(const std::string& path);

// The same for the newest records of a topic. Only the brokers and the connection options of
// `kafka` are used. `config`: the configuration that they come from; empty: none. Joins no group
// and commits nothing.
int InferTopic(const KafkaSpec& kafka, const std::string& topic, const std::string& config);

}  // namespace sash
