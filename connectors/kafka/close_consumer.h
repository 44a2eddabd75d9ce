// Closes a consumer of librdkafka without waiting for ever, as rd_kafka_consumer_close() may do.
//
// Thread safety: call it in the thread to which the consumer belongs.
#pragma once

#include <chrono>

struct rd_kafka_s;

namespace sash {

// Gives the assigned partitions up; no rebalance callback is called. True: the consumer is closed
// and may be destroyed. False: it was not closed by `deadline`, and librdkafka's threads may still
// call back.
bool CloseConsumer(rd_kafka_s* consumer, std::chrono::steady_clock::time_point deadline);

// For what librdkafka's threads may still use after a consumer did not close in time. The object is
// never destroyed; a leak checker finds it through a static variable. Any thread may call this.
void KeepForEver(const void* object);

}  // namespace sash
