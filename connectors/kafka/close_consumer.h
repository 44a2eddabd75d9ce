// Closing a consumer of librdkafka without waiting for ever, as rd_kafka_consumer_close() may.
//
// Thread safety: for the thread that the consumer belongs to.
#pragma once

#include <chrono>

struct rd_kafka_s;

namespace sash {

// What is assigned is given back without a word. True: it is closed and may be destroyed. False: it
// was not by `deadline`, and librdkafka's threads may still call back.
bool CloseConsumer(rd_kafka_s* consumer, std::chrono::steady_clock::time_point deadline);

}  // namespace sash
