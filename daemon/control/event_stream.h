// EventStream: follows the API's server-sent events, and waits for other descriptors as well.
//
// Thread safety: none.
// Invariants:
// (1) From kOpen until kLost no event is missed: a response requested in that time is not older
//     than the first event.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "daemon/control/api_client.h"
#include "daemon/control/event_parser.h"

namespace sash {

class EventStream {
 public:
  enum class State : std::uint8_t {
    kConnecting,
    kOpen,
    kLost,     // why() gives the reason
    kRefused,  // answer() gives the reason
  };

  explicit EventStream(const ApiSettings& settings, std::string path = "/api/v1/events");
  ~EventStream();
  EventStream(const EventStream&) = delete;
  EventStream& operator=(const EventStream&) = delete;

  // Connects again, whatever the state.
  void Connect();

  // Waits until there are events, the state changes, one of the descriptors `also` is readable, or
  // the time is over.
  std::vector<ApiEvent> Wait(std::span<const int> also, std::chrono::milliseconds patience);

  State state() const;
  const std::string& why() const;
  const ApiAnswer& answer() const;

 private:
  struct Parts;

  std::unique_ptr<Parts> parts_;
};

}  // namespace sash
