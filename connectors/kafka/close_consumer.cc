#include "connectors/kafka/close_consumer.h"

#include <librdkafka/rdkafka.h>

#include <future>
#include <utility>
#include <vector>

#include "connectors/kafka/detached_call.h"
#include "windows/base/mutex.h"

namespace sash {

void KeepForEver(const void* object) {
  static Mutex mutex;
  static auto* const kept = new std::vector<const void*>();
  const MutexLock lock(mutex);
  kept->push_back(object);
}

bool CloseConsumer(rd_kafka_s* consumer, std::chrono::steady_clock::time_point deadline) {
  rd_kafka_queue_t* queue = rd_kafka_queue_new(consumer);
  if (rd_kafka_error_t* error = rd_kafka_consumer_close_queue(consumer, queue)) {
    rd_kafka_error_destroy(error);  // closed already
  }
  while (rd_kafka_consumer_closed(consumer) == 0 && std::chrono::steady_clock::now() < deadline) {
    rd_kafka_event_t* event = rd_kafka_queue_poll(queue, 20);
    if (event == nullptr) continue;
    if (rd_kafka_event_type(event) == RD_KAFKA_EVENT_REBALANCE) rd_kafka_assign(consumer, nullptr);
    rd_kafka_event_destroy(event);
  }
  if (rd_kafka_consumer_closed(consumer) == 0) {
    KeepForEver(queue);
    return false;
  }
  rd_kafka_queue_destroy(queue);
  return true;
}

bool DestroyConsumer(std::function<void()> destroy,
                     std::chrono::steady_clock::time_point deadline) {
  return CallDetached(std::move(destroy)).wait_until(deadline) == std::future_status::ready;
}

}  // namespace sash
