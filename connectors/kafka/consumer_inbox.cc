#include "connectors/kafka/consumer_inbox.h"

#include <fmt/format.h>
#include <librdkafka/rdkafka.h>
#include <syslog.h>

#include <utility>

#include "connectors/kafka/log_events.h"

namespace sash {
namespace {

// Lost and new connections are reported as states, once per change (BrokerReach). librdkafka's own
// lines would repeat themselves, so they are debug messages.
const LogEvent& EventOf(int syslog_level, std::string_view facility) {
  if (syslog_level <= LOG_CRIT) return kafka_events::kClientError;
  return facility == "CONFWARN" ? kafka_events::kClientWarning : kafka_events::kClientDebug;
}

}  // namespace

void ConsumerInbox::Listen(rd_kafka_conf_s* conf) {
  rd_kafka_conf_set_opaque(conf, this);
  rd_kafka_conf_set_log_cb(
      conf, [](const rd_kafka_t* rk, int level, const char* facility, const char* line) {
        static_cast<ConsumerInbox*>(rd_kafka_opaque(rk))
            ->AddLine(EventOf(level, facility), fmt::format("librdkafka: {}: {}", facility, line));
      });
  rd_kafka_conf_set_error_cb(conf, [](rd_kafka_t*, int error, const char* reason, void* inbox) {
    static_cast<ConsumerInbox*>(inbox)->AddError(error, reason);
  });
  rd_kafka_conf_set_stats_cb(conf, [](rd_kafka_t*, char* json, std::size_t bytes, void* inbox) {
    static_cast<ConsumerInbox*>(inbox)->SetStatistics({json, bytes});
    return 0;  // librdkafka frees the text
  });
}

InboxContents ConsumerInbox::Take() {
  const MutexLock lock(mutex_);
  return std::exchange(contents_, {});
}

void ConsumerInbox::AddLine(const LogEvent& event, std::string text) {
  const MutexLock lock(mutex_);
  if (contents_.log.size() >= kMaxLines) {
    ++contents_.log_dropped;
  } else {
    contents_.log.push_back({event, std::move(text)});
  }
}

void ConsumerInbox::AddError(int number, std::string_view reason) {
  const auto error = static_cast<rd_kafka_resp_err_t>(number);
  const MutexLock lock(mutex_);
  // This error has no reason; the error before it has.
  if (error == RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN) {
    contents_.all_brokers_down = true;
    if (!contents_.connection_identity.empty()) return;
  }
  contents_.connection_identity = rd_kafka_err2name(error);
  contents_.connection_text = reason;
  contents_.topic_refused = error == RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART ||
                            error == RD_KAFKA_RESP_ERR__UNKNOWN_TOPIC ||
                            error == RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED;
}

void ConsumerInbox::SetStatistics(std::string_view text) {
  const MutexLock lock(mutex_);
  contents_.statistics = text;
}

}  // namespace sash
