#include "connectors/sinks/alerts/alert_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "connectors/sinks/alerts/alert_fields.h"
#include "connectors/sinks/json_text.h"

namespace sash {
namespace {

const FactRow* FirstThatHolds(const std::vector<FactRow>& rows, AlertCondition& condition) {
  const auto found =
      std::ranges::find_if(rows, [&](const FactRow& row) { return condition.Holds(row); });
  return found == rows.end() ? nullptr : &*found;
}

// An alert about a row that entered or left is sent once; at a receiver it may hold for longer.
std::string_view NothingHolds(AlertOn on) {
  switch (on) {
    case AlertOn::kEntered:
      return "No row that meets the condition has entered in the newest result.";
    case AlertOn::kLeft:
      return "No row that meets the condition has left in the newest result.";
    default:
      return "The condition holds for nothing in the newest result.";
  }
}

}  // namespace

Result<AlertWatch> AlertWatch::Make(const AlertSpec& spec, const std::vector<std::string>& fields) {
  Result<AlertCondition> condition = AlertCondition::Parse(spec.where, fields);
  if (!condition) return std::move(condition).error().Within("where");
  Result<AlertText> text = ParseText(spec, fields);
  if (!text) return std::move(text).error().Within("text");
  return AlertWatch(spec, std::move(condition).value(), std::move(text).value());
}

Result<AlertText> AlertWatch::ParseText(const AlertSpec& spec, std::vector<std::string> fields) {
  const std::vector<std::string>& more = AlertTextFields();
  fields.insert(fields.end(), more.begin(), more.end());
  return AlertText::Parse(spec.text, fields);
}

std::vector<AlertMessage> AlertWatch::Follow(AlertFacts& facts) {
  const RunResult& result = *facts.run().result;
  if (track_.HasSeen(IdentityOf(result))) return {};
  ++results_;
  newest_end_ = result.provenance.window_end;
  std::vector<AlertMessage> messages;
  for (const FiredAlert& fired : track_.Follow(facts, condition_, !paused_)) {
    if (paused_) continue;
    messages.push_back(MakeAlert(spec_, text_, fired, result));
    last_.push_front(messages.back().json);
    if (last_.size() > kKept) last_.pop_back();
  }
  if (!messages.empty()) last_fired_ = newest_end_;
  fired_ += messages.size();
  if (!follows_ends_) return messages;
  std::vector<AlertMessage> ended = standing_.Follow(spec_, facts, condition_, messages);
  if (paused_) return messages;
  for (AlertMessage& alert : ended) {
    alert.labels = spec_.labels;
    messages.push_back(std::move(alert));
  }
  return messages;
}

std::vector<AlertMessage> AlertWatch::Standing() const {
  if (paused_) return {};
  std::vector<AlertMessage> standing = standing_.All();
  for (AlertMessage& alert : standing) alert.labels = spec_.labels;
  return standing;
}

AlertMessage AlertWatch::Test(AlertFacts& facts) {
  const RunResult& result = *facts.run().result;
  FiredAlert fired{.since = result.provenance.window_end, .results = spec_.results};
  AlertCondition condition = condition_;
  if (spec_.on == AlertOn::kResult) {
    fired.row = facts.Whole();
  } else if (const FactRow* const row = FirstThatHolds(facts.Rows(), condition)) {
    fired.row = *row;
  }
  return MakeAlert(spec_, text_, fired, result, true);
}

std::string AlertWatch::Definition() const {
  return fmt::format("{} {} {} {} {}", spec_.job, NameOf(spec_.on), spec_.results,
                     spec_.at_most.count(), spec_.where);
}

void AlertWatch::Write(JsonText& to) const {
  to.BeginObject().Key("alert").Text(spec_.name).Key("definition").Text(Definition());
  track_.Write(to);
  if (follows_ends_) standing_.Write(to.Key("standing"));
  to.EndObject();
}

bool AlertWatch::Read(std::string_view json) {
  const auto state = nlohmann::json::parse(json, nullptr, false);
  const bool is_same = state.is_object() && state.value("definition", "") == Definition();
  if (is_same && track_.Read(json)) {
    return !follows_ends_ || !state.contains("standing") ||
           standing_.Read(state.at("standing").dump());
  }
  track_.ReadPosition(json);
  return false;
}

AlertStatus AlertWatch::Status() const {
  AlertStatus status{.spec = spec_,
                     .results = results_,
                     .fired = fired_,
                     .suppressed = track_.suppressed(),
                     .left_out = track_.left_out(),
                     .failures = condition_.failures(),
                     .last_failure = condition_.last_failure(),
                     .holding = track_.holding(),
                     .newest_end = newest_end_,
                     .last_fired = last_fired_,
                     .last = {last_.begin(), last_.end()}};
  const std::uint32_t longest = track_.longest();
  if (paused_) {
    status.state = AlertState::kPaused;
    status.summary = "The alert is paused: it follows results, and is not sent.";
  } else if (results_ == 0) {
    status.summary = fmt::format("No new result of job {} has come yet.", spec_.job);
  } else if (status.holding == 0) {
    const bool just_fired = last_fired_ && last_fired_ == newest_end_;
    status.state = just_fired ? AlertState::kFiring : AlertState::kQuiet;
    status.summary = just_fired ? "The newest result gave an alert." : NothingHolds(spec_.on);
  } else {
    const bool is_long = longest >= spec_.results;
    status.state = is_long ? AlertState::kFiring : AlertState::kPending;
    status.summary =
        fmt::format("The condition holds for {} subject{}, for up to {} of {} results.",
                    status.holding, status.holding == 1 ? "" : "s", longest, spec_.results);
  }
  if (track_.suppressed_now() > 0) {
    status.summary +=
        fmt::format(" at_most held back {} in the newest result.", track_.suppressed_now());
  }
  if (condition_.failures() > 0) {
    status.summary +=
        fmt::format(" The filter had no value for {} row{} so far: {}", condition_.failures(),
                    condition_.failures() == 1 ? "" : "s", condition_.last_failure());
  }
  return status;
}

}  // namespace sash
