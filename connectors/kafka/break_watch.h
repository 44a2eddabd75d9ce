// BreakWatch: whether reading may have been broken off, since the partitions that are read may be
// others afterwards: topics that were deleted and made anew meanwhile. librdkafka 2.0.2 knows
// neither topic ids nor epochs of leaders, and goes on at the same offset without a word.
//
// A break is counted when a connection is made, when librdkafka asks for metadata of its own accord
// (as it does after an error of a partition), and when no records were asked for for seconds:
// before records are asked for again.
//
// Thread safety: breaks() and Forgive() may be called from any thread; Sent() is called by
// librdkafka's.
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
  // Has librdkafka tell of each request of the consumer that `conf` makes. The watch outlives that.
  void Watch(rd_kafka_conf_s* conf);

  // Grows with each break.
  std::uint64_t breaks() const { return breaks_.load(std::memory_order_acquire); }
  // One of them was a question that we asked.
  void Forgive() { breaks_.fetch_sub(1, std::memory_order_acq_rel); }

  // A request went out, to the broker with this number.
  void Sent(std::int32_t broker, std::int16_t api_key, std::chrono::steady_clock::time_point now);

 private:
  // Between two requests for records: those of fetch.wait.max.ms, and of a rest.
  std::chrono::milliseconds longest_wait_{2500};
  std::atomic<std::uint64_t> breaks_ = 0;
  Mutex mutex_;
  std::map<std::int32_t, std::chrono::steady_clock::time_point> fetched_ SASH_GUARDED_BY(mutex_);
};

}  // namespace sash
