#include "connectors/sinks/alerts/alert_track.h"

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "connectors/sinks/time_text.h"

namespace sash {

struct AlertTrack::Step {
  AlertFacts& facts;
  AlertCondition& condition;
  EventTime now;
  bool are_sent;
  std::vector<FiredAlert> fired{};
};

bool AlertTrack::HasSeen(const ResultIdentity& result) const {
  return newest_ && newest_->origin == result.origin && result.position <= newest_->position;
}

std::vector<FiredAlert> AlertTrack::Follow(AlertFacts& facts, AlertCondition& condition,
                                           bool are_sent) {
  ResultIdentity result = IdentityOf(*facts.run().result);
  if (HasSeen(result)) return {};
  if (newest_ && newest_->origin != result.origin) streaks_.clear();
  newest_ = std::move(result);
  suppressed_now_ = 0;
  Step step{facts, condition, facts.run().result->provenance.window_end, are_sent};
  ForgetSent(step.now);
  switch (spec_.on) {
    case AlertOn::kEntered:
      FollowEntered(step);
      break;
    case AlertOn::kLeft:
      FollowLeft(step);
      break;
    case AlertOn::kChanged:
      FollowRows(facts.Changed(), step);
      break;
    case AlertOn::kRow:
    case AlertOn::kEdge:
      FollowRows(facts.Rows(), step);
      break;
    case AlertOn::kResult:
      FollowRows({facts.Whole()}, step);
      break;
  }
  return std::move(step.fired);
}

void AlertTrack::FollowRows(const std::vector<FactRow>& rows, Step& step) {
  Streaks now;
  for (const FactRow& row : rows) {
    if (now.contains(row.subject) || !step.condition.Holds(row)) continue;
    const auto before = streaks_.find(row.subject);
    Streak streak =
        before != streaks_.end() ? before->second : Streak{.results = 0, .since = step.now};
    if (streak.results < spec_.results) ++streak.results;
    if (streak.results >= spec_.results) Fire(row, streak, step);
    now.emplace(row.subject, std::move(streak));
  }
  streaks_ = std::move(now);
}

void AlertTrack::FollowEntered(Step& step) {
  Streaks now;
  std::set<std::string_view> fresh;
  for (const FactRow& row : step.facts.Entered()) fresh.insert(row.subject);
  for (const FactRow& row : step.facts.Rows()) {
    const auto before = streaks_.find(row.subject);
    const bool goes_on = before != streaks_.end();
    if ((!goes_on && !fresh.contains(row.subject)) || !step.condition.Holds(row)) continue;
    Streak streak = goes_on ? before->second : Streak{.results = 0, .since = step.now};
    if (++streak.results >= spec_.results) {
      Fire(row, streak, step);
    } else {
      now.emplace(row.subject, std::move(streak));
    }
  }
  streaks_ = std::move(now);
}

void AlertTrack::FollowLeft(Step& step) {
  if (!streaks_.empty()) {
    for (const FactRow& row : step.facts.Rows()) streaks_.erase(row.subject);  // it is back
  }
  Streaks now;
  const auto count = [&](const FactRow& row, Streak streak) {
    if (++streak.results >= spec_.results) {
      Fire(row, streak, step);
    } else {
      now.emplace(row.subject, std::move(streak));
    }
  };
  for (auto& [subject, streak] : streaks_) {
    FactRow row = ReadFactRow(streak.row, "");
    row.subject = subject;
    count(row, streak);
  }
  for (const FactRow& row : step.facts.Left()) {
    if (step.condition.Holds(row)) count(row, {.since = step.now, .row = row.json});
  }
  streaks_ = std::move(now);
}

void AlertTrack::Fire(const FactRow& row, const Streak& streak, Step& step) {
  if (sent_.contains(row.subject)) {
    ++suppressed_;
    ++suppressed_now_;
    return;
  }
  if (step.fired.size() == kMostFired) {
    if (step.are_sent) ++left_out_;
    return;
  }
  if (spec_.at_most > Duration::zero() && step.are_sent) sent_.emplace(row.subject, step.now);
  step.fired.push_back({row, streak.since, streak.results});
}

void AlertTrack::ForgetSent(EventTime now) {
  std::erase_if(sent_, [&](const auto& sent) { return now - sent.second >= spec_.at_most; });
}

std::uint32_t AlertTrack::longest() const {
  std::uint32_t longest = 0;
  for (const auto& [subject, streak] : streaks_) longest = std::max(longest, streak.results);
  return longest;
}

void AlertTrack::Write(JsonText& to) const {
  if (newest_) to.Key("newest").Raw(ResultKey(*newest_));
  to.Key("holding").BeginArray();
  for (const auto& [subject, streak] : streaks_) {
    to.BeginObject().Key("subject").Text(subject).Key("results").Unsigned(streak.results);
    to.Key("since").Text(TimeText(streak.since));
    if (!streak.row.empty()) to.Key("row").Text(streak.row);
    to.EndObject();
  }
  to.EndArray().Key("sent").BeginArray();
  for (const auto& [subject, end] : sent_) {
    to.BeginObject().Key("subject").Text(subject).Key("window_end").Text(TimeText(end));
    to.EndObject();
  }
  to.EndArray();
}

bool AlertTrack::Read(std::string_view json) try {
  const auto state = nlohmann::json::parse(json);
  const auto time = [](const nlohmann::json& text) {
    return ParseTimeText(text.get<std::string>()).value();
  };
  std::optional<ResultIdentity> newest;
  if (state.contains("newest")) newest = IdentityOfKey(state.at("newest").dump()).value();
  Streaks streaks;
  for (const auto& each : state.at("holding")) {
    streaks.emplace(each.at("subject").get<std::string>(),
                    Streak{.results = each.at("results").get<std::uint32_t>(),
                           .since = time(each.at("since")),
                           .row = each.value("row", "")});
  }
  decltype(sent_) sent;
  for (const auto& each : state.at("sent")) {
    sent.emplace(each.at("subject").get<std::string>(), time(each.at("window_end")));
  }
  newest_ = newest;
  streaks_ = std::move(streaks);
  sent_ = std::move(sent);
  return true;
} catch (const nlohmann::json::exception&) {
  return false;
} catch (const std::bad_optional_access&) {
  return false;
}

void AlertTrack::ReadPosition(std::string_view json) {
  const auto state = nlohmann::json::parse(json, nullptr, false);
  if (state.is_object() && state.contains("newest")) {
    newest_ = IdentityOfKey(state.at("newest").dump());
  }
}

}  // namespace sash
