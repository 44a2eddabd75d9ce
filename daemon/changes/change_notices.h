// ChangeNotices: tells the log and the subscribers of events that a client of the API has changed
// something.
//
// Thread safety: belongs to the main thread.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "windows/base/event_log.h"

namespace sash {

class ChangeNotices {
 public:
  using Tell = std::function<void(std::string_view kind, std::string json)>;

  // `log` outlives the notices; `tell` notifies subscribers.
  ChangeNotices(EventLog& log, Tell tell) : log_(log), tell_(std::move(tell)) {}

  // `what`: "job", "window" or "alert"; `change`: "added".
  void Say(const std::string& client, const char* what, const std::string& name,
           const char* change) const;

 private:
  EventLog& log_;
  const Tell tell_;
};

}  // namespace sash
