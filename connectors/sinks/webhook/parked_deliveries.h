// ParkedDeliveries: the deliveries that a webhook refused for good, as JSON lines in the file
// `parked` in the folder of the outbox (`replay-parked` in a replay).
//
// Thread safety: none; the owner serialises.
//
// Invariants
//   (1) After Park() succeeds, the line is durable.
//   (2) At half of the limit, the file is renamed to `parked.old` and a new one begins. So the two
//       have at most the limit plus one line, and the oldest lines are lost first.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "connectors/sinks/append_file.h"
#include "connectors/sinks/outbox.h"
#include "windows/base/clock.h"
#include "windows/base/result.h"

namespace sash {

class ParkedDeliveries {
 public:
  static constexpr std::uint64_t kLimitBytes = 64 << 20;

  explicit ParkedDeliveries(const std::string& outbox_folder, bool replay,
                            std::uint64_t limit_bytes = kLimitBytes)
      : path_(outbox_folder + (replay ? "/replay-parked" : "/parked")), limit_bytes_(limit_bytes) {}

  // A line {"time", "status", "reply", "key", "value"}; `reply`: the beginning of the reply's body.
  Status Park(const Outbox::Message& message, long status, std::string_view reply, EventTime time);

  const std::string& path() const { return path_; }

 private:
  Status MakeRoom(std::size_t bytes);

  const std::string path_;
  const std::uint64_t limit_bytes_;
  std::optional<AppendFile> file_{};  // opened by the first delivery that is parked
};

}  // namespace sash
