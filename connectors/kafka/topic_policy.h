// Topic policy: whether a topic is compacted, from its configuration.
//
// Thread safety: belongs to the thread of the client.
#pragma once

#include <chrono>
#include <string>

#include "windows/base/result.h"

struct rd_kafka_s;

namespace sash {

// Whether compaction removes single records of the topic. Waits for the answer of a broker; needs a
// permission that not every user has.
Result<bool> IsTopicCompacted(rd_kafka_s* client, const std::string& topic,
                              std::chrono::milliseconds timeout);

}  // namespace sash
