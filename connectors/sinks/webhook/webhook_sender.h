// WebhookSender: a thread that sends the messages of an outbox to a webhook, one at a time.
//
// Thread safety: every public member may be called from any thread; Start() and Stop() only once.
//
// Invariants
//   (1) A message is acknowledged to the outbox once the receiver answered 2xx, or once it is
//       durable in the file of parked deliveries.
//   (2) Messages are sent in the order of the outbox. A message that is to be sent again holds back
//       those behind it; a parked message does not.
//   (3) Pauses between attempts are random, from 0 to a limit that doubles from kFirstPause to
//       `longest_pause`. A pause is at least as long as the receiver asks (Retry-After), up to
//       kLongestAsked.
//   (4) Alerts that stand are sent between messages, in one request, and are not kept if that
//       fails: they come again.
//   (5) Only this thread contacts the receiver; other threads never wait for it.
//
// It has more members than other classes: a quarter of them are counters that other threads read.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <thread>

#include "connectors/kafka/ready_state.h"
#include "connectors/sinks/outbox.h"
#include "connectors/sinks/sink_spec.h"
#include "connectors/sinks/webhook/held_alerts.h"
#include "connectors/sinks/webhook/parked_deliveries.h"
#include "connectors/sinks/webhook/settled_keys.h"
#include "connectors/sinks/webhook_counts.h"
#include "connectors/transfer/http_transfer.h"
#include "windows/base/clock.h"
#include "windows/base/event_log.h"
#include "windows/base/mutex.h"

namespace sash {

class WebhookSender {
 public:
  static constexpr std::chrono::milliseconds kFirstPause{500};
  static constexpr std::chrono::minutes kLongestAsked{5};

  // `outbox`, `held`, `state` and `log` must outlive it. `settled`: none in a replay.
  WebhookSender(const WebhookSinkSpec& spec, bool replay, Outbox& outbox, HeldAlerts& held,
                std::optional<SettledKeys> settled, ReadyState& state, EventLog& log);
  ~WebhookSender() { Stop(); }
  WebhookSender(const WebhookSender&) = delete;
  WebhookSender& operator=(const WebhookSender&) = delete;

  void Start();
  // Cuts off the request in flight; its message is sent again after a restart.
  void Stop();
  // Call it after new messages were added to the outbox.
  void Wake();

  // Whether the outbox is empty or becomes empty within `patience`.
  bool AwaitEmpty(std::chrono::milliseconds patience);

  // Reports events on the files of the outbox.
  void TellNotes();

  std::uint64_t settled() const { return delivered_ + parked_; }
  void AddCounts(WebhookCounts& counts) const;

 private:
  enum class WakeOn : std::uint8_t { kNews, kStopOnly };

  void Run();
  std::optional<Outbox::Message> Take();
  void SendHeld();
  void Send(const Outbox::Message& message);
  Result<HttpTransfer::Reply> Ask(const Outbox::Message& message);
  void Park(const Outbox::Message& message, const HttpTransfer::Reply& reply);
  void Settle(const Outbox::Message& message);
  void Repeat(const Outbox::Message& message, std::string_view identity, std::string_view why,
              std::chrono::nanoseconds asked);
  void ClearDelivery();
  void Pause(std::chrono::nanoseconds time, WakeOn wake_on);

  const WebhookSinkSpec spec_;
  const std::string name_;
  const std::string_view things_;
  Outbox& outbox_;
  HeldAlerts& held_;
  ReadyState& state_;
  EventLog& log_;

  // Used only by the thread.
  std::optional<SettledKeys> settled_;
  ParkedDeliveries parked_deliveries_;
  HttpTransfer transfer_;
  std::uint32_t failures_ = 0;  // attempts in a row
  std::mt19937_64 random_;

  std::atomic<std::uint64_t> delivered_ = 0;
  std::atomic<std::uint64_t> retries_ = 0;
  std::atomic<std::uint64_t> parked_ = 0;
  std::atomic<std::uint64_t> lost_ = 0;
  std::atomic<std::uint64_t> requests_ = 0;
  std::atomic<std::int64_t> request_nanoseconds_ = 0;
  std::atomic<bool> stopping_ = false;

  Mutex mutex_;
  CondVar woken_;
  CondVar emptied_;
  bool news_ SASH_GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

}  // namespace sash
