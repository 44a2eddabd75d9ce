// Topic policy: what a topic's configuration says of who removes records.
#pragma once

#include <chrono>
#include <string>

#include "windows/base/result.h"

struct rd_kafka_s;

namespace sash {

// Whether single records are removed since others with their key follow. Waits for the answer of a
// broker; not everybody may ask.
Result<bool> IsTopicCompacted(rd_kafka_s* client, const std::string& topic,
                              std::chrono::milliseconds timeout);

}  // namespace sash
