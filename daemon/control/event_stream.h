// EventStream: follows server-sent events of the API, and watches descriptors meanwhile.
//
// Thread safety: none.
// Invariants:
// (1) Once kOpen, no event is missed until kLost: what is asked of the API after that is not older
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
    kLost,     // why() says how
    kRefused,  // answer() says why
  };

  explicit EventStream(const ApiSettings& settings, std::string path = "/api/v1/events");
  ~EventStream();
  EventStream(const EventStream&) = delete;
  EventStream& operator=(const EventStream&) = delete;

  // Anew, whatever was before.
  void Connect();

  // Waits until there are events, the state changes, one of the descriptors `also` can be read, or
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
