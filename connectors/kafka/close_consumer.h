// Closes and destroys a consumer of librdkafka without waiting for ever, as
// rd_kafka_consumer_close() and rd_kafka_destroy() may do.
//
// Thread safety: call it in the thread to which the consumer belongs.
#pragma once

#include <chrono>
#include <functional>

struct rd_kafka_s;

namespace sash {

// Gives the assigned partitions up; no rebalance callback is called. True: the consumer is closed
// and may be destroyed. False: it was not closed by `deadline`, and librdkafka's threads may still
// call back.
bool CloseConsumer(rd_kafka_s* consumer, std::chrono::steady_clock::time_point deadline);

// Runs `destroy`, which destroys a closed consumer, in a thread of its own. False: it has not
// returned by `deadline`; it goes on. librdkafka (2.0.2) waits for ever after a topic that it read
// was deleted, because the thread of a broker does not end.
bool DestroyConsumer(std::function<void()> destroy, std::chrono::steady_clock::time_point deadline);

// Keeps an object that librdkafka's threads may still use after a consumer did not close in time.
// It is never destroyed; a leak checker finds it through a static variable. Any thread may call
// this.
void KeepForEver(const void* object);

}  // namespace sash
