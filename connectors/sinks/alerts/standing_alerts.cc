#include "connectors/sinks/alerts/standing_alerts.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <utility>

#include "connectors/sinks/result_key.h"
#include "connectors/sinks/time_text.h"

namespace sash {
namespace {

using Subjects = std::set<std::string, std::less<>>;

const std::vector<FactRow>& RowsAbout(AlertOn on, AlertFacts& facts) {
  return on == AlertOn::kChanged ? facts.Changed() : facts.Rows();
}

// Those of the subjects for which the condition still holds.
template <typename Standing>
Subjects Holding(const AlertSpec& spec, AlertFacts& facts, AlertCondition& condition,
                 const Standing& standing) {
  Subjects holding;
  if (spec.on == AlertOn::kResult) {
    if (condition.Holds(facts.Whole())) holding.insert(facts.Whole().subject);
    return holding;
  }
  if (spec.on == AlertOn::kLeft) {
    for (const auto& [subject, alert] : standing) holding.insert(subject);
    for (const FactRow& row : facts.Rows()) holding.erase(row.subject);  // it is back
    return holding;
  }
  for (const FactRow& row : RowsAbout(spec.on, facts)) {
    if (standing.contains(row.subject) && condition.Holds(row)) holding.insert(row.subject);
  }
  return holding;
}

bool IsOf(const AlertMessage& alert, const ResultIdentity& result) {
  const ResultOrigin& origin = alert.identity.origin;
  return origin.job == result.origin.job && origin.window == result.origin.window &&
         origin.counted == result.origin.counted;
}

}  // namespace

std::vector<AlertMessage> StandingAlerts::Follow(const AlertSpec& spec, AlertFacts& facts,
                                                 AlertCondition condition,
                                                 const std::vector<AlertMessage>& fired) {
  const ResultIdentity result = IdentityOf(*facts.run().result);
  const EventTime now = facts.run().result->provenance.window_end;
  std::vector<AlertMessage> ended;
  const auto end = [&](auto place) {
    AlertMessage alert = std::move(place->second);
    // Alertmanager takes no alert that ends before it begins; by events, times need not ascend.
    alert.ended = std::max(now, alert.since + std::chrono::milliseconds(1));
    alert.identity.position = result.position;
    alert.identity.origin.alert = spec.name + "/end";
    ended.push_back(std::move(alert));
    return standing_.erase(place);
  };
  if (!standing_.empty()) {
    const Subjects holding = Holding(spec, facts, condition, standing_);
    for (auto place = standing_.begin(); place != standing_.end();) {
      const bool stands = holding.contains(place->first) && IsOf(place->second, result);
      place = stands ? std::next(place) : end(place);
    }
  }
  for (const AlertMessage& alert : fired) standing_[alert.identity.origin.subject] = alert;
  while (standing_.size() > kMost) {
    end(std::ranges::min_element(
        standing_, {}, [](const auto& standing) { return standing.second.since; }));
  }
  return ended;
}

std::vector<AlertMessage> StandingAlerts::All() const {
  std::vector<AlertMessage> all;
  for (const auto& [subject, alert] : standing_) all.push_back(alert);
  return all;
}

void StandingAlerts::Write(JsonText& to) const {
  to.BeginArray();
  for (const auto& [subject, alert] : standing_) {
    to.BeginObject().Key("key").Raw(ResultKey(alert.identity));
    to.Key("since").Text(TimeText(alert.since)).Key("text").Text(alert.text);
    to.Key("alert").Text(alert.json).EndObject();
  }
  to.EndArray();
}

bool StandingAlerts::Read(std::string_view json) try {
  decltype(standing_) read;
  const auto state = nlohmann::json::parse(json);
  if (!state.is_array()) return false;
  for (const auto& each : state) {
    AlertMessage alert{.identity = IdentityOfKey(each.at("key").dump()).value(),
                       .json = each.at("alert").get<std::string>(),
                       .text = each.at("text").get<std::string>(),
                       .since = ParseTimeText(each.at("since").get<std::string>()).value()};
    std::string subject = alert.identity.origin.subject;
    read.emplace(std::move(subject), std::move(alert));
  }
  standing_ = std::move(read);
  return true;
} catch (const nlohmann::json::exception&) {
  return false;
} catch (const std::bad_optional_access&) {
  return false;
}

}  // namespace sash
