// AlertReceiver: takes alerts, and keeps each until it is delivered.
#pragma once

#include <cstdint>
#include <string>

#include "connectors/sinks/result_key.h"

namespace sash {

struct AlertMessage {
  ResultIdentity identity{};  // with alert and subject; the same when the alert is sent again
  std::string json{};         // without a line end
  std::string text{};         // its member of this name
  bool is_test = false;       // it may come again with the same identity
};

// Thread safety: like ResultSink.
class AlertReceiver {
 public:
  virtual ~AlertReceiver() = default;

  // `advance`: the number of the advance whose result gave the alert. After the next successful
  // Flush() of the sink the alert is not lost any more.
  virtual void Notify(std::uint64_t advance, const AlertMessage& alert) = 0;
};

}  // namespace sash
