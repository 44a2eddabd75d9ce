#include "connectors/kafka/break_watch.h"

#include <librdkafka/rdkafka.h>

#include <array>
#include <cstdlib>

#include "windows/base/check.h"

namespace sash {
namespace {

constexpr std::int16_t kFetch = 1;
constexpr std::int16_t kMetadata = 3;
constexpr std::int16_t kApiVersions = 18;  // the first request of a connection
// librdkafka 2.0.2 stops fetching while enough records wait, and checks again after a second.
constexpr std::chrono::milliseconds kAtRest{2000};

rd_kafka_resp_err_t OnRequestSent(rd_kafka_t*, int, const char*, std::int32_t broker,
                                  std::int16_t api_key, std::int16_t, std::int32_t, std::size_t,
                                  void* watch) {
  static_cast<BreakWatch*>(watch)->Sent(broker, api_key, std::chrono::steady_clock::now());
  return RD_KAFKA_RESP_ERR_NO_ERROR;
}

rd_kafka_resp_err_t OnNew(rd_kafka_t* consumer, const rd_kafka_conf_t*, void* watch, char*,
                          std::size_t) {
  return rd_kafka_interceptor_add_on_request_sent(consumer, "sash", OnRequestSent, watch);
}

}  // namespace

void BreakWatch::Watch(rd_kafka_conf_s* conf) {
  std::array<char, 32> wait{};
  std::size_t size = wait.size();
  SASH_CHECK(rd_kafka_conf_get(conf, "fetch.wait.max.ms", wait.data(), &size) == RD_KAFKA_CONF_OK);
  longest_wait_ = std::chrono::milliseconds(std::atoll(wait.data())) + kAtRest;
  SASH_CHECK(rd_kafka_conf_interceptor_add_on_new(conf, "sash", OnNew, this) ==
             RD_KAFKA_RESP_ERR_NO_ERROR);
}

void BreakWatch::Sent(std::int32_t broker, std::int16_t api_key,
                      std::chrono::steady_clock::time_point now) {
  // Brokers that lead partitions have a number. No records are read from a coordinator's
  // connection, which has none.
  bool is_break = api_key == kMetadata || (api_key == kApiVersions && broker >= 0);
  if (api_key == kFetch) {
    const MutexLock lock(mutex_);
    const auto [last, is_first] = fetched_.try_emplace(broker, now);
    is_break = !is_first && now - last->second > longest_wait_;
    last->second = now;
  }
  if (is_break) breaks_.fetch_add(1, std::memory_order_acq_rel);
}

}  // namespace sash
