#include "connectors/kafka/opening_attempts.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "connectors/kafka/log_events.h"
#include "windows/base/mutex.h"

namespace sash {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kFirstPause{250};
constexpr milliseconds kLongestPause{5000};
constexpr milliseconds kBetweenClaims{50};
constexpr const char* kStart = "start";

}  // namespace

void OpeningAttempts::SayConnecting(const KafkaSpec& spec, ReadyState& ready) {
  ready.Set(kStart, kafka_events::kConnecting, "connecting",
            fmt::format("kafka: connecting to {}", spec.brokers));
}

bool OpeningAttempts::Open(StreamReader& reader, const std::stop_token& stop) {
  for (milliseconds pause = kFirstPause; !stop.stop_requested();) {
    const Result<OpenedStream> stream = TryToOpen(stop);
    if (stream) {
      const Status begun = reader.Begin(stream.value());
      if (begun) {
        ready_.Clear(kStart, kafka_events::kStarted,
                     fmt::format("kafka: reading {} partitions from {}",
                                 stream.value().partitions.size(), spec_.brokers));
        return true;
      }
      SayNotReady(begun.error());
    } else if (!stop.stop_requested()) {
      if (!stream.error().message.empty()) SayNotReady(stream.error());
      // A replay ends, so it does not wait until a topic is created.
      if (spec_.span && stream.error().code == ErrorCode::kNotFound) {
        board_.Fail(stream.error());
        return false;
      }
    }
    if (claim_ != nullptr && claim_->IsClaiming()) {
      SleepFor(stop, kBetweenClaims);
      continue;
    }
    SleepFor(stop, pause);
    pause = std::min(pause * 2, kLongestPause);
  }
  return false;
}

Result<OpenedStream> OpeningAttempts::TryToOpen(const std::stop_token& stop) {
  if (claim_ != nullptr) {
    if (const Status claimed = claim_->Claim(); !claimed) return claimed.error();
  }
  return OpenStream(consumer_, spec_, partitions_, log_, stop);
}

void OpeningAttempts::SayNotReady(const Error& error) {
  consumer_.ServeCallbacks();
  InboxContents inbox = consumer_.TakeInbox();
  for (const InboxContents::Line& line : inbox.log) log_.Log(line.event, line.text);
  if (!inbox.connection_text.empty()) connection_text_ = std::move(inbox.connection_text);
  // The last connection error says why a broker does not answer. Errors of a topic are in the
  // answer.
  const bool unanswered = error.message.starts_with("brokers") && !connection_text_.empty();
  ready_.Set(kStart, board_.is_standing_by() ? kafka_events::kStandby : kafka_events::kNotStarted,
             error.message,
             unanswered ? fmt::format("kafka: {}: {}", error.message, connection_text_)
                        : fmt::format("kafka: {}", error.message));
}

}  // namespace sash
