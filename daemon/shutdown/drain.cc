#include "daemon/shutdown/drain.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>

#include "daemon/log/exit_code.h"
#include "daemon/log/log_events.h"

namespace sash {
namespace {

// For a broker to take one more result; results in an outbox are safe.
constexpr std::chrono::nanoseconds kLastDelivery = std::chrono::seconds(1);

std::uint64_t RefusedRecords(const Pipeline& pipeline) {
  const auto counts = pipeline.RefusedByReason();
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

}  // namespace

std::string EndOfSourceText(const Pipeline& pipeline) {
  const SourceStatus source = pipeline.source().status();
  std::string text = fmt::format("end of the source: {} records, {} of them refused",
                                 source.records, RefusedRecords(pipeline));
  if (source.filtered > 0) text += fmt::format(", {} filtered", source.filtered);
  if (source.unmapped > 0) text += fmt::format(", {} of topics without a mapping", source.unmapped);
  return text;
}

int Drain::Run(StopRequest::Cause cause) {
  const bool ended = cause == StopRequest::Cause::kEndOfSource;
  parts_.interfaces.SayStopping();
  SayWhy(cause);
  std::optional<std::chrono::nanoseconds> deadline;
  if (!ended) deadline = deadline_;
  parts_.notifier.Stopping(deadline);
  const ShutdownGuard guard(parts_.stop, parts_.log, deadline, [this] { CutShort(); });
  if (!ended) parts_.pipeline.Finish();
  parts_.pipeline.jobs().Drain();
  parts_.pipeline.exports().Await(parts_.pipeline.is_finite());
  const bool cut_short = guard.acted();
  parts_.memory.Stop();  // it uses the scheduler
  parts_.pipeline.Stop();
  if (cut_short) SayCutShort();
  const bool written = WriteWhatIsLeft();
  if (written && !cut_short && !ended) parts_.pipeline.KeepLastState();
  const bool delivered = DeliverWhatIsLeft(guard);
  const bool refused_too_many = (ended || source_ended_) && RefusedTooMany();
  parts_.interfaces.Stop();
  parts_.pipeline.CloseSource();
  parts_.log.Log(process_events::kStopped, "stopped");
  const bool is_whole =
      written && delivered && !refused_too_many && cause != StopRequest::Cause::kSourceFailed;
  return is_whole ? kExitOk : kExitFailure;
}

void Drain::SayWhy(StopRequest::Cause cause) {
  const double seconds = std::chrono::duration<double>(deadline_).count();
  switch (cause) {
    case StopRequest::Cause::kEndOfSource:
      parts_.log.Log(process_events::kEndOfSource, EndOfSourceText(parts_.pipeline));
      return;
    case StopRequest::Cause::kSignal:
      parts_.log.Log(process_events::kStopping,
                     fmt::format("{}: stopping, within {} s", parts_.stop.signal_name(), seconds));
      return;
    default:
      parts_.log.Log(process_events::kStopping, fmt::format("stopping, within {} s", seconds));
  }
}

// Called once the dead letters are in their file.
bool Drain::RefusedTooMany() {
  const std::optional<std::string> why = parts_.pipeline.WhyTooManyRefused();
  if (why) parts_.log.Log(process_events::kTooManyRefused, "source: " + *why);
  return why.has_value();
}

// Abandons work that takes too long. Called in the guard's thread; does not wait.
void Drain::CutShort() {
  parts_.pipeline.engine().Abandon();
  parts_.pipeline.jobs().RequestStop();
  parts_.pipeline.exports().GiveUp();
}

void Drain::SayCutShort() {
  parts_.log.Log(process_events::kCutShort,
                 parts_.pipeline.is_finite()
                     ? "cut short: the results do not cover all that was read"
                     : "cut short: a restart reads again what the results do not cover");
}

// Returns false, after logging it, when data that belongs in a file could not be written.
bool Drain::WriteWhatIsLeft() {
  const Status results = parts_.pipeline.delivery().Flush();
  if (!results) {
    parts_.log.Log(process_events::kResultsLost, "results are lost: " + results.error().message);
  }
  const Status in_file = parts_.pipeline.dead_letters().Flush();
  const Status for_topic = parts_.pipeline.dead_letters().MakeDurable();
  for (const Status* letters : {&in_file, &for_topic}) {
    if (letters->ok()) continue;
    parts_.log.Log(process_events::kLettersLost,
                   "dead letters are lost: " + letters->error().message);
  }
  const std::uint64_t slices = parts_.pipeline.exports().waiting_slices();
  if (slices > 0) {
    parts_.log.Log(process_events::kSlicesNotWritten,
                   fmt::format("{} slices that have closed are not exported{}", slices,
                               parts_.pipeline.is_finite() ? "" : "; a restart reads them again"));
  }
  const bool lacks_slices = slices > 0 && parts_.pipeline.is_finite();
  return results.ok() && in_file.ok() && for_topic.ok() && !lacks_slices;
}

// Waits for the sinks that deliver over the network, as long as they make progress. Returns false,
// after logging it, when undelivered results will be lost: the next replay empties the outbox.
bool Drain::DeliverWhatIsLeft(const ShutdownGuard& guard) {
  const Pipeline& pipeline = parts_.pipeline;
  const Clock& clock = pipeline.clock();
  const auto delivered = [&pipeline] {
    std::uint64_t count = 0;
    const SinkCounts sinks = pipeline.CountSinks();
    for (const KafkaSinkCounts& sink : sinks.kafka) count += sink.delivered;
    for (const WebhookCounts& sink : sinks.webhooks) count += sink.delivered + sink.parked;
    return count;
  };
  const bool replay = pipeline.is_finite();
  const std::chrono::nanoseconds patience =
      replay ? deadline_ : std::min(deadline_ / 10, kLastDelivery);
  std::uint64_t seen = delivered();
  SteadyTime since = clock.Steady();
  const auto go_on = [&] {
    if (guard.acted()) return false;
    if (const std::uint64_t now = delivered(); now != seen) {
      seen = now;
      since = clock.Steady();
    }
    return clock.Steady() - since < patience;
  };
  const Status results = pipeline.sinks().Drain(go_on, !replay);
  const Status letters = pipeline.dead_letters().Drain(go_on, !replay);
  for (const Status* drained : {&results, &letters}) {
    if (drained->ok()) continue;
    parts_.log.Log(replay ? process_events::kOutboxLost : process_events::kOutboxLeft,
                   drained->error().message + (replay ? ", which the next replay empties"
                                                      : ", and are sent after the next start"));
  }
  return !replay || (results.ok() && letters.ok());
}

}  // namespace sash
