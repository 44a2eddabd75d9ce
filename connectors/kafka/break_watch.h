// BreakWatch: counts the times when reading may have been interrupted. A topic may have been
// deleted and created again meanwhile: librdkafka 2.0.2 knows neither topic ids nor leader epochs,
// and continues in the new topic at the same offset without an error.
//
// A break is counted when a connection is made, when librdkafka asks for metadata by itself (as it
// does after an error of a partition), and when no records were requested for seconds. It is
// counted before records are requested again.
//
// Thread safety: breaks() and Forgive() may be called from any thread; Sent() is called by threads
// of librdkafka.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>

#include "windows/base/mutex.h"

struct rd_kafka_conf_s;

namespace sash {

class BreakWatch {
 public:
  // Makes librdkafka report each request of the consumer that is created from `conf`. The watch
  // must outlive the consumer.
  void Watch(rd_kafka_conf_s* conf);

  // Grows with each break.
  std::uint64_t breaks() const { return breaks_.load(std::memory_order_acquire); }
  // Does not count one break: it was a question that we asked.
  void Forgive() { breaks_.fetch_sub(1, std::memory_order_acq_rel); }

  // A request was sent to the broker with this number.
  void Sent(std::int32_t broker, std::int16_t api_key, std::chrono::steady_clock::time_point now);

 private:
  // The longest time between two requests for records: fetch.wait.max.ms and the rest (kAtRest).
  std::chrono::milliseconds longest_wait_{2500};
  std::atomic<std::uint64_t> breaks_ = 0;
  Mutex mutex_;
  std::map<std::int32_t, std::chrono::steady_clock::time_point> fetched_ SASH_GUARDED_BY(mutex_);
};

}  // namespace sash
