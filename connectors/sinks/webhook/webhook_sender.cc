#include "connectors/sinks/webhook/webhook_sender.h"

#include <fmt/format.h>
#include <pthread.h>

#include <algorithm>
#include <utility>

#include "connectors/sinks/kafka/log_events.h"
#include "connectors/sinks/result_key.h"
#include "connectors/sinks/webhook/alertmanager_alert.h"
#include "connectors/sinks/webhook/webhook_request.h"

namespace sash {
namespace {

using std::chrono::nanoseconds;

constexpr std::chrono::seconds kHookIdle{1};
constexpr std::uint32_t kMostDoublings = 20;

constexpr const char* kHookDelivery = "delivery";
constexpr const char* kHookOutbox = "outbox";
constexpr const char* kHookDamaged = "damaged";
constexpr const char* kHookHeld = "held";

constexpr std::size_t kMostReplyBytes = 1024;

HttpTerms TermsOf(const WebhookSinkSpec& spec) {
  return {.connect_timeout = spec.connect_timeout,
          .timeout = spec.timeout,
          .ca = spec.ca,
          .certificate = spec.certificate,
          .key = spec.key,
          .most_bytes = kMostReplyBytes};
}

// The job and window of a message, for reports.
std::string HookOrigin(const Outbox::Message& message) {
  const std::optional<ResultIdentity> result = IdentityOfKey(message.key);
  if (!result) return message.key;
  const std::string job = fmt::format("{} on {}", result->origin.job, result->origin.window);
  const std::string& alert = result->origin.alert;  // NAME, NAME/end or NAME/test
  return alert.empty() ? job : fmt::format("alert {} of {}", alert.substr(0, alert.find('/')), job);
}

}  // namespace

WebhookSender::WebhookSender(const WebhookSinkSpec& spec, bool replay, Outbox& outbox,
                             HeldAlerts& held, std::optional<SettledKeys> settled,
                             ReadyState& state, EventLog& log)
    : spec_(spec),
      name_("webhook sink " + spec.name),
      things_(spec.content == SinkContent::kAlerts ? "alerts" : "results"),
      outbox_(outbox),
      held_(held),
      state_(state),
      log_(log),
      settled_(std::move(settled)),
      parked_deliveries_(spec.outbox.path, replay),
      transfer_(TermsOf(spec), [this] { return stopping_.load(); }),
      random_(std::random_device()()) {}

void WebhookSender::Start() {
  thread_ = std::thread([this] {
    pthread_setname_np(pthread_self(), "webhook sender");
    Run();
  });
}

void WebhookSender::Stop() {
  stopping_ = true;
  Wake();
  if (thread_.joinable()) thread_.join();
}

void WebhookSender::Wake() {
  {
    const MutexLock lock(mutex_);
    news_ = true;
  }
  woken_.NotifyOne();
}

void WebhookSender::Pause(nanoseconds time, WakeOn wake_on) {
  const SteadyTime deadline = std::chrono::steady_clock::now() + time;
  const MutexLock lock(mutex_);
  while (!stopping_ && !(news_ && wake_on == WakeOn::kNews) && woken_.WaitUntil(mutex_, deadline)) {
    continue;
  }
  news_ = false;
}

bool WebhookSender::AwaitEmpty(std::chrono::milliseconds patience) {
  const SteadyTime deadline = std::chrono::steady_clock::now() + patience;
  const MutexLock lock(mutex_);
  while (outbox_.waiting() > 0 && emptied_.WaitUntil(mutex_, deadline)) continue;
  return outbox_.waiting() == 0;
}

void WebhookSender::Run() {
  while (!stopping_) {
    SendHeld();
    const std::optional<Outbox::Message> message = Take();
    if (!message) {
      Pause(kHookIdle, WakeOn::kNews);
    } else if (settled_ && settled_->WasSettled(*message)) {
      Settle(*message);
    } else {
      Send(*message);
    }
  }
}

std::optional<Outbox::Message> WebhookSender::Take() {
  Result<std::optional<Outbox::Message>> next = outbox_.Next();
  TellNotes();
  if (!next) {
    state_.Set(kHookOutbox, outbox_events::kUnreadable, "read",
               fmt::format("{}: {}", name_, next.error().message), {{"sink", name_}});
    return std::nullopt;
  }
  state_.Clear(kHookOutbox, outbox_events::kReadable,
               fmt::format("{}: the outbox can be read again", name_), {{"sink", name_}});
  return std::move(next).value();
}

Result<HttpTransfer::Reply> WebhookSender::Ask(const Outbox::Message& message) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const WebhookRequest request =
      MakeWebhookRequest(spec_, message, std::chrono::floor<std::chrono::seconds>(now));
  const SteadyTime begun = std::chrono::steady_clock::now();
  Result<HttpTransfer::Reply> reply = transfer_.Post(spec_.url, request.headers, request.body);
  ++requests_;
  request_nanoseconds_ += nanoseconds(std::chrono::steady_clock::now() - begun).count();
  return reply;
}

void WebhookSender::SendHeld() {
  const auto due = held_.Due(std::chrono::steady_clock::now());
  if (!due) return;
  const auto reply = Ask({.id = 0, .key = "", .value = AlertmanagerBody(*due)});
  const bool is_delivered = reply && OutcomeOf(reply.value().status) == WebhookOutcome::kDelivered;
  held_.Sent(std::chrono::steady_clock::now(), is_delivered);
  if (stopping_) return;
  if (is_delivered) {
    return state_.Clear(kHookHeld, outbox_events::kMessagesResumed,
                        fmt::format("{}: alerts that fire are repeated again", name_),
                        {{"sink", name_}});
  }
  const std::string why =
      reply ? fmt::format("the receiver answers {}", reply.value().status) : reply.error().message;
  state_.Set(kHookHeld, outbox_events::kDeliveryFailed, "held",
             fmt::format("{}: alerts that fire are not repeated, and may expire at the receiver: "
                         "{}",
                         name_, why),
             {{"sink", name_}});
}

void WebhookSender::Send(const Outbox::Message& message) {
  const Result<HttpTransfer::Reply> reply = Ask(message);
  if (!reply) {
    if (stopping_) return outbox_.Return(message.id);
    return Repeat(message, "no reply", reply.error().message, nanoseconds(0));
  }
  const long status = reply.value().status;
  switch (OutcomeOf(status)) {
    case WebhookOutcome::kDelivered:
      ++delivered_;
      Settle(message);
      ClearDelivery();
      return state_.Clear(
          "parked " + HookOrigin(message), outbox_events::kMessagesResumed,
          fmt::format("{}: {} of {} are delivered again", name_, things_, HookOrigin(message)),
          {{"sink", name_}});
    case WebhookOutcome::kRetry:
      return Repeat(message, std::to_string(status), fmt::format("the receiver answers {}", status),
                    reply.value().retry_after);
    case WebhookOutcome::kPark:
      return Park(message, reply.value());
  }
}

void WebhookSender::Park(const Outbox::Message& message, const HttpTransfer::Reply& reply) {
  const Status parked =
      parked_deliveries_.Park(message, reply.status, reply.body, std::chrono::system_clock::now());
  if (!parked) return Repeat(message, "park", parked.error().message, nanoseconds(0));
  ++parked_;
  Settle(message);
  ClearDelivery();
  state_.Set(
      "parked " + HookOrigin(message), outbox_events::kParked, std::to_string(reply.status),
      fmt::format("{}: the receiver answered {}; the newest of the {} of {} is parked in {}", name_,
                  reply.status, things_, HookOrigin(message), parked_deliveries_.path()),
      {{"sink", name_}, {"status", reply.status}});
}

void WebhookSender::Settle(const Outbox::Message& message) {
  if (settled_) settled_->Add(message);
  outbox_.Acknowledge(message.id);
  if (outbox_.waiting() > 0) return;
  if (settled_) settled_->Clear();
  const MutexLock lock(mutex_);  // otherwise a waiting thread could miss the notification
  emptied_.NotifyAll();
}

void WebhookSender::Repeat(const Outbox::Message& message, std::string_view identity,
                           std::string_view why, nanoseconds asked) {
  ++retries_;
  outbox_.Return(message.id);
  state_.Set(kHookDelivery, outbox_events::kDeliveryFailed, identity,
             fmt::format("{}: {} wait in the outbox: {}", name_, things_, why), {{"sink", name_}});
  const std::uint32_t doublings = std::min(failures_++, kMostDoublings);
  const nanoseconds limit =
      std::min<nanoseconds>(nanoseconds(kFirstPause) * (1ll << doublings), spec_.longest_pause);
  std::uniform_int_distribution<std::int64_t> jitter(0, limit.count());
  Pause(std::max(nanoseconds(jitter(random_)), std::min<nanoseconds>(asked, kLongestAsked)),
        WakeOn::kStopOnly);
}

void WebhookSender::ClearDelivery() {
  failures_ = 0;
  state_.Clear(kHookDelivery, outbox_events::kDeliveryResumed,
               fmt::format("{}: {} are delivered again", name_, things_), {{"sink", name_}});
  state_.Clear(kHookDamaged, outbox_events::kMessagesResumed,
               fmt::format("{}: {} are delivered, after a damaged line", name_, things_),
               {{"sink", name_}});
}

void WebhookSender::TellNotes() {
  for (const Outbox::Note& note : outbox_.TakeNotes()) {
    lost_ += note.lost;
    const std::string text = fmt::format("{}: {}", name_, note.text);
    switch (note.kind) {
      case Outbox::Note::Kind::kMadeAgain:
        log_.Log(outbox_events::kFileMade, text, {{"sink", name_}});
        break;
      case Outbox::Note::Kind::kCut:
        log_.Log(outbox_events::kFileCut, text, {{"sink", name_}, {"lost", note.lost}});
        break;
      case Outbox::Note::Kind::kDamaged:
        state_.Set(kHookDamaged, outbox_events::kDamaged, note.text,
                   fmt::format("{}; its messages are not delivered; the line is kept in {}/damaged",
                               text, spec_.outbox.path),
                   {{"sink", name_}});
        break;
    }
  }
}

void WebhookSender::AddCounts(WebhookCounts& counts) const {
  counts.delivered += delivered_;
  counts.retries += retries_;
  counts.parked += parked_;
  counts.refused += lost_;
  counts.requests += requests_;
  counts.request_seconds +=
      std::chrono::duration<double>(nanoseconds(request_nanoseconds_.load())).count();
}

}  // namespace sash
