// ConsumerInbox: what librdkafka's callbacks report about a consumer, until its reader takes it.
//
// Thread safety: every member may be called from any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "windows/base/event_log.h"
#include "windows/base/mutex.h"

struct rd_kafka_conf_s;

namespace sash {

// What the callbacks have reported since the last Take().
struct InboxContents {
  struct Line {
    LogEvent event;
    std::string text;
  };
  std::vector<Line> log;
  std::uint64_t log_dropped = 0;
  std::string connection_identity;  // the newest error of the connections; empty: none
  std::string connection_text;
  bool topic_refused = false;  // that error is about a topic; the brokers can be reached
  bool all_brokers_down = false;
  std::string statistics;  // the newest; empty: none
};

class ConsumerInbox {
 public:
  ConsumerInbox() = default;
  ConsumerInbox(const ConsumerInbox&) = delete;
  ConsumerInbox& operator=(const ConsumerInbox&) = delete;

  // Makes the consumer that is created from `conf` report to this inbox, which must outlive it.
  void Listen(rd_kafka_conf_s* conf);
  InboxContents Take();

 private:
  static constexpr std::size_t kMaxLines = 256;

  void AddLine(const LogEvent& event, std::string text);
  void AddError(int error, std::string_view reason);
  void SetStatistics(std::string_view text);

  Mutex mutex_;
  InboxContents contents_ SASH_GUARDED_BY(mutex_);
};

}  // namespace sash
