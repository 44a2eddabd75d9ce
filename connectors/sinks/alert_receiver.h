// AlertReceiver: takes alerts, and keeps each until it is delivered.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "connectors/sinks/result_key.h"
#include "windows/base/clock.h"

namespace sash {

struct AlertMessage {
  ResultIdentity identity{};  // with alert and subject; the same when the alert is sent again
  std::string json{};         // without a line end
  std::string text{};         // its member of this name
  bool is_test = false;       // it may come again with the same identity
  EventTime since{};          // end of the window of the first result in which it held
  std::optional<EventTime> ended{};              // it does not hold any more
  std::map<std::string, std::string> labels{};  // AlertSpec::labels
};

// Thread safety: like ResultSink.
class AlertReceiver {
 public:
  virtual ~AlertReceiver() = default;

  // `advance`: the number of the advance whose result gave the alert. After the next successful
  // Flush() of the sink the alert is not lost any more.
  virtual void Notify(std::uint64_t advance, const AlertMessage& alert) = 0;

  // Whether it also gets alerts that have ended, by Notify(), and those that stand, by Hold().
  virtual bool FollowsEnds() const { return false; }
  // All alerts of this definition that stand: they were sent, and still hold.
  virtual void Hold(const std::string& /*alert*/, std::vector<AlertMessage> /*standing*/) {}
};

}  // namespace sash
