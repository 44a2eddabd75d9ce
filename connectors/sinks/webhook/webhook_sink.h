// WebhookSink: sends one HTTP request to a receiver for each run of its jobs, or for each alert,
// through an outbox on disk. The content is the same JSON as a line of the file sink, all rows of
// the result, an event of CloudEvents, or an alert of Alertmanager.
//
// Thread safety: like ResultSink; the rest may be called from any thread. The sink has its own
// sending thread.
//
// Invariants
//   (1) After Flush() succeeds, every delivered result is acknowledged by the receiver, parked, or
//       in the outbox. It is sent again, also after a restart, until the receiver acknowledges or
//       refuses it. Commits never wait for the receiver.
//   (2) In a replay, Deliver() waits for room in the outbox while the receiver takes results.
//       Otherwise a result that does not fit into the outbox is dropped and counted, and every
//       later Flush() of the process fails: nothing is committed past that result, and a restart
//       produces it again.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "connectors/kafka/ready_state.h"
#include "connectors/sinks/alert_receiver.h"
#include "connectors/sinks/chosen_results.h"
#include "connectors/sinks/outbox.h"
#include "connectors/sinks/sink_counts.h"
#include "connectors/sinks/sink_spec.h"
#include "connectors/sinks/webhook/held_alerts.h"
#include "connectors/sinks/webhook/webhook_sender.h"
#include "windows/base/event_log.h"
#include "windows/ingest/vertex_dictionary.h"

namespace sash {

class WebhookSink final : public CountedSink, public AlertReceiver {
 public:
  // Does not contact the receiver: a missing receiver is a state (NotReady), not an error. `keys`
  // and `log` must outlive the sink. A replay uses a separate outbox, which it empties first.
  static Result<std::unique_ptr<WebhookSink>> Open(const WebhookSinkSpec& spec,
                                                   const VertexDictionary& keys, bool replay,
                                                   EventLog& log);

  void Deliver(const CompletedRun& run) override;
  // Left out while the outbox is more than half full.
  bool DeliverPartial(const CompletedRun& run) override;
  // Not taken while the outbox would be more than half full.
  void DeliverPast(const CompletedRun& run, std::vector<PastDelivery>& deliveries) override;
  void Complete(const AdvanceReport&) override {}
  Status Flush() override;
  void Notify(std::uint64_t advance, const AlertMessage& alert) override;
  bool FollowsEnds() const override {
    return spec_.format == WebhookSinkSpec::Format::kAlertmanager;
  }
  void Hold(const std::string& alert, std::vector<AlertMessage> standing) override;

  // Waits until the outbox is empty, while `go_on` returns true; it is called every 50 ms. With
  // `only_while_ready`, a reason in NotReady() also ends the wait. The error says how many results
  // are left in the outbox.
  Status Drain(const std::function<bool()>& go_on, bool only_while_ready);
  std::vector<std::string> NotReady() const { return state_.Reasons(); }
  WebhookCounts Counts() const;
  void AddCounts(SinkCounts& counts) const override;

 private:
  WebhookSink(const WebhookSinkSpec& spec, const VertexDictionary& keys, bool replay,
              std::unique_ptr<Outbox> outbox, std::optional<SettledKeys> settled, EventLog& log);

  // A result, diff or the rows of a result, as a value of the outbox; nothing: not to be sent.
  std::optional<std::string> ContentOf(const CompletedRun& run) const;
  // Why it is not durably in the outbox; empty: it is.
  std::string WhyNotPosted(const std::string& key, const std::string& text);
  void Post(const std::string& key, const std::string& text);
  bool AppendWhenRoom(std::string_view key, std::string_view text);

  const WebhookSinkSpec spec_;
  const std::string name_;
  ChosenResults chosen_;
  const bool replay_;
  ReadyState state_;
  const std::unique_ptr<Outbox> outbox_;
  std::atomic<std::uint64_t> dropped_ = 0;
  HeldAlerts held_;
  WebhookSender sender_;  // last: its thread uses the others
};

}  // namespace sash
