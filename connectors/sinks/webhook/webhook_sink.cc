#include "connectors/sinks/webhook/webhook_sink.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "connectors/sinks/kafka/log_events.h"
#include "connectors/sinks/result_key.h"
#include "connectors/sinks/webhook/alertmanager_alert.h"
#include "connectors/sinks/webhook/webhook_request.h"

namespace sash {
namespace {

constexpr std::chrono::milliseconds kHookAskEvery{50};
constexpr std::chrono::seconds kHookRoomPatience{60};

}  // namespace

Result<std::unique_ptr<WebhookSink>> WebhookSink::Open(const WebhookSinkSpec& spec,
                                                       const VertexDictionary& keys, bool replay,
                                                       EventLog& log) {
  const std::string name = "webhook sink " + spec.name;
  Result<std::unique_ptr<Outbox>> outbox = Outbox::Open(spec.outbox, replay, kResultKeyHead);
  if (!outbox) return std::move(outbox).error().Within(name);
  const std::uint64_t waiting = outbox.value()->waiting();
  std::optional<SettledKeys> settled;
  if (!replay) {
    Result<SettledKeys> opened = SettledKeys::Open(spec.outbox.path, waiting);
    if (!opened) return std::move(opened).error().Within(name);
    settled.emplace(std::move(opened).value());
  }
  if (waiting > 0) {
    log.Log(outbox_events::kWaiting,
            fmt::format("{}: {} results from an earlier run wait in {}", name, waiting,
                        spec.outbox.path),
            {{"sink", name}, {"waiting", waiting}});
  }
  std::unique_ptr<WebhookSink> sink(
      new WebhookSink(spec, keys, replay, std::move(outbox).value(), std::move(settled), log));
  sink->sender_.TellNotes();
  sink->sender_.Start();
  return sink;
}

WebhookSink::WebhookSink(const WebhookSinkSpec& spec, const VertexDictionary& keys, bool replay,
                         std::unique_ptr<Outbox> outbox, std::optional<SettledKeys> settled,
                         EventLog& log)
    : spec_(spec),
      name_("webhook sink " + spec.name),
      chosen_(spec, keys),
      replay_(replay),
      state_(log),
      outbox_(std::move(outbox)),
      sender_(spec, replay, *outbox_, held_, std::move(settled), state_, log) {}

void WebhookSink::Deliver(const CompletedRun& run) {
  if (const auto content = ContentOf(run)) Post(ResultKey(*run.result), *content);
}

std::optional<std::string> WebhookSink::ContentOf(const CompletedRun& run) const {
  std::optional<std::string> text = chosen_.TextOf(run);
  if (text) return text;
  const std::optional<RowList> rows = chosen_.RowsOf(run);
  if (!rows || rows->rows == 0) return std::nullopt;
  const bool is_csv = spec_.format == WebhookSinkSpec::Format::kCsv;
  return RowsAsValue(RowLines(*rows, is_csv ? RowFormat::kCsv : RowFormat::kJson));
}

void WebhookSink::Notify(std::uint64_t /*advance*/, const AlertMessage& alert) {
  Post(ResultKey(alert.identity), FollowsEnds() ? AlertmanagerBody({alert}) : alert.json);
}

// A replay ends soon; then its alerts are to expire.
void WebhookSink::Hold(const std::string& alert, std::vector<AlertMessage> standing) {
  if (!replay_) held_.Hold(alert, std::move(standing));
}

bool WebhookSink::DeliverPartial(const CompletedRun& run) {
  if (!spec_.partial) return true;
  if (outbox_->bytes() > spec_.outbox.limit_bytes / 2) return !chosen_.Wants(run.result->job);
  Deliver(run);
  return true;
}

void WebhookSink::DeliverPast(const CompletedRun& run, std::vector<PastDelivery>& deliveries) {
  std::optional<PastDelivery> past = chosen_.PlanPast(run.result->job, "webhook:" + spec_.name);
  if (!past) return;
  if (past->state != PastDelivery::State::kLeftOut) {
    if (const std::optional<std::string> content = ContentOf(run)) {
      past->why = WhyNotPosted(ResultKey(*run.result), *content);
      if (!past->why.empty()) past->state = PastDelivery::State::kFailed;
    } else {
      past->why = "the result has no rows";
      past->state = PastDelivery::State::kLeftOut;
    }
  }
  deliveries.push_back(*std::move(past));
}

std::string WebhookSink::WhyNotPosted(const std::string& key, const std::string& text) {
  const Outbox::Pair message{key, text};
  if (!outbox_->AppendToHalf({&message, 1})) return "more than half of its outbox would be in use";
  sender_.Wake();
  const Status flushed = outbox_->Flush();
  sender_.TellNotes();
  return flushed.ok() ? std::string() : flushed.error().message + "; it waits in memory";
}

void WebhookSink::Post(const std::string& key, const std::string& text) {
  if (replay_ && dropped_ == 0 ? AppendWhenRoom(key, text) : outbox_->Append(key, text)) {
    return sender_.Wake();
  }
  ++dropped_;
  state_.Set("full", outbox_events::kFull, "full",
             fmt::format("{}: the outbox {} is full, results are dropped and committing stops; a "
                         "restart produces them",
                         name_, spec_.outbox.path),
             {{"sink", name_}});
}

// Waits for room while the receiver settles at least one result a minute.
bool WebhookSink::AppendWhenRoom(std::string_view key, std::string_view text) {
  std::uint64_t settled = sender_.settled();
  auto since = std::chrono::steady_clock::now();
  while (!outbox_->Append(key, text)) {
    if (outbox_->waiting() == 0) return false;  // the outbox is empty: waiting gives no more room
    static_cast<void>(sender_.AwaitEmpty(kHookAskEvery));
    const auto now = std::chrono::steady_clock::now();
    if (const std::uint64_t count = sender_.settled(); count != settled) {
      settled = count;
      since = now;
    } else if (now - since > kHookRoomPatience) {
      return false;
    }
  }
  return true;
}

Status WebhookSink::Flush() {
  Status flushed = outbox_->Flush();
  sender_.TellNotes();
  if (!flushed) return std::move(flushed).error().Within(name_);
  if (const std::uint64_t dropped = dropped_; dropped > 0) {
    return Error{ErrorCode::kOverloaded,
                 fmt::format("{}: {} results did not fit into the outbox {}; a restart produces "
                             "them",
                             name_, dropped, spec_.outbox.path)};
  }
  return Ok{};
}

Status WebhookSink::Drain(const std::function<bool()>& go_on, bool only_while_ready) {
  while (!sender_.AwaitEmpty(kHookAskEvery)) {
    if (go_on() && (!only_while_ready || state_.Reasons().empty())) continue;
    return Error{ErrorCode::kUnavailable,
                 fmt::format("{}: {} results are not delivered; they wait in {}", name_,
                             outbox_->waiting(), spec_.outbox.path)};
  }
  return Ok{};
}

WebhookCounts WebhookSink::Counts() const {
  WebhookCounts counts;
  counts.sink = "webhook:" + spec_.name;
  counts.dropped = dropped_;
  counts.waiting = outbox_->waiting();
  counts.outbox_bytes = outbox_->bytes();
  counts.outbox_limit_bytes = spec_.outbox.limit_bytes;
  counts.ready = state_.Reasons().empty();
  sender_.AddCounts(counts);
  return counts;
}

void WebhookSink::AddCounts(SinkCounts& counts) const { counts.webhooks.push_back(Counts()); }

}  // namespace sash
