#include "daemon/alerts/alert_desk.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>
#include <utility>

#include "connectors/sinks/alerts/alert_fields.h"
#include "connectors/sinks/json_text.h"
#include "daemon/alerts/log_events.h"

namespace sash {
namespace {

const JobSpec* JobOf(const AlertSpec& alert, const std::vector<JobSpec>& jobs) {
  const auto found = std::ranges::find(jobs, alert.job, &JobSpec::name);
  return found == jobs.end() ? nullptr : &*found;
}

bool Names(const AlertSpec& alert, std::string_view receiver) {
  return alert.to.empty() || std::ranges::find(alert.to, receiver) != alert.to.end();
}

}  // namespace

Result<std::unique_ptr<AlertDesk>> AlertDesk::Open(const std::vector<AlertSpec>& specs,
                                                   const std::vector<JobSpec>& jobs, KeyKind keys,
                                                   Surroundings surroundings) {
  std::unique_ptr<AlertDesk> desk(new AlertDesk(std::move(surroundings)));
  for (const AlertSpec& spec : specs) {
    const std::string place = "alert " + spec.name;
    const JobSpec* const job = JobOf(spec, jobs);
    if (job == nullptr) {
      return Error{ErrorCode::kInvalidArgument,
                   fmt::format("{}: there is no job {}", place, spec.job)};
    }
    Result<std::vector<std::string>> fields = AlertFields(spec.on, *job, keys);
    if (!fields) return std::move(fields).error().Within(place);
    if (Status added = desk->Add(spec, fields.value()); !added) {
      return std::move(added).error().Within(place);
    }
  }
  if (Status read = desk->ReadState(); !read) return std::move(read).error().Within("alerts");
  std::vector<std::size_t> all(desk->routes_.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  const MutexLock telling(desk->telling_);
  desk->TellStanding(all);
  return desk;
}

Status AlertDesk::Add(const AlertSpec& spec, const std::vector<std::string>& fields) {
  Result<AlertWatch> watch = AlertWatch::Make(spec, fields);
  if (!watch) return std::move(watch).error();
  Route route{.alert = spec.name, .to_log = Names(spec, AlertSpec::kLog)};
  for (const auto& [name, receiver] : around_.receivers) {
    if (!Names(spec, name)) continue;
    route.receivers.push_back(receiver);
    route.follows_ends = route.follows_ends || receiver->FollowsEnds();
  }
  if (route.follows_ends) watch.value().FollowEnds();
  routes_.push_back(std::move(route));
  const MutexLock lock(mutex_);
  watches_.push_back(std::move(watch).value());
  return Ok{};
}

Status AlertDesk::ReadState() {
  if (around_.store == nullptr) return Ok{};
  const Result<std::string> state = around_.store->Read();
  if (!state) return state.error();
  if (state.value().empty()) return Ok{};
  const auto json = nlohmann::json::parse(state.value(), nullptr, false);
  const MutexLock lock(mutex_);
  for (const auto& each : json.value("alerts", nlohmann::json::array())) {
    const std::optional<std::size_t> place = Place(each.value("alert", ""));
    if (!place || watches_[*place].Read(each.dump())) continue;
    around_.log.Log(alert_events::kChanged,
                    fmt::format("alert {}: its definition has changed; it begins with the next "
                                "result, without what it knew",
                                routes_[*place].alert),
                    {{"alert", routes_[*place].alert}});
  }
  return Ok{};
}

void AlertDesk::Deliver(const CompletedRun& run) {
  around_.sinks.Deliver(run);
  const MutexLock telling(telling_);
  std::vector<Told> told;
  std::vector<std::size_t> places;
  {
    AlertFacts facts(run);
    const MutexLock lock(mutex_);
    for (std::size_t i = 0; i < watches_.size(); ++i) {
      if (watches_[i].spec().job != run.result->job) continue;
      for (AlertMessage& message : watches_[i].Follow(facts)) {
        told.push_back({i, std::move(message)});
      }
      is_saved_ = false;
      places.push_back(i);
    }
  }
  // First what stands: otherwise an alert could be repeated after its end was sent.
  TellStanding(places);
  for (const Told& each : told) Tell(run.advance->number, each);
}

void AlertDesk::TellStanding(const std::vector<std::size_t>& places) {
  for (const std::size_t place : places) {
    const Route& route = routes_[place];
    if (!route.follows_ends) continue;
    std::vector<AlertMessage> standing;
    {
      const MutexLock lock(mutex_);
      standing = watches_[place].Standing();
    }
    for (AlertReceiver* const receiver : route.receivers) receiver->Hold(route.alert, standing);
  }
}

void AlertDesk::Tell(std::uint64_t advance, const Told& told) {
  const Route& route = routes_[told.route];
  for (AlertReceiver* const receiver : route.receivers) {
    if (!told.message.ended || receiver->FollowsEnds()) receiver->Notify(advance, told.message);
  }
  if (told.message.ended) return;
  if (route.to_log) {
    around_.log.Log(alert_events::kFired,
                    fmt::format("alert {}: {}", route.alert, told.message.text),
                    {{"alert", route.alert}, {"job", told.message.identity.origin.job}});
  }
  around_.tell(told.message.json);
}

Status AlertDesk::Flush() {
  if (Status flushed = around_.sinks.Flush(); !flushed) return flushed;
  if (around_.store == nullptr) return Ok{};
  JsonText state;
  {
    const MutexLock lock(mutex_);
    if (is_saved_) return Ok{};
    state.BeginObject().Key("version").Integer(1).Key("alerts").BeginArray();
    for (const AlertWatch& watch : watches_) watch.Write(state);
    state.EndArray().EndObject();
  }
  if (Status saved = around_.store->Save(std::move(state).Take()); !saved) {
    return std::move(saved).error().Within("alerts");
  }
  const MutexLock lock(mutex_);
  is_saved_ = true;
  return Ok{};
}

std::optional<std::size_t> AlertDesk::Place(std::string_view name) const {
  const auto found = std::ranges::find(routes_, name, &Route::alert);
  if (found == routes_.end()) return std::nullopt;
  return static_cast<std::size_t>(found - routes_.begin());
}

std::vector<AlertStatus> AlertDesk::Statuses() const {
  const MutexLock lock(mutex_);
  std::vector<AlertStatus> statuses;
  for (const AlertWatch& watch : watches_) statuses.push_back(watch.Status());
  return statuses;
}

std::optional<AlertStatus> AlertDesk::Find(std::string_view name) const {
  const std::optional<std::size_t> place = Place(name);
  if (!place) return std::nullopt;
  const MutexLock lock(mutex_);
  return watches_[*place].Status();
}

bool AlertDesk::Pause(std::string_view name, bool paused) {
  const std::optional<std::size_t> place = Place(name);
  if (!place) return false;
  const MutexLock telling(telling_);
  {
    const MutexLock lock(mutex_);
    watches_[*place].Pause(paused);
  }
  TellStanding({*place});
  return true;
}

std::optional<std::string> AlertDesk::Test(std::string_view name, const CompletedRun& run) {
  const std::optional<std::size_t> place = Place(name);
  if (!place) return std::nullopt;
  const MutexLock telling(telling_);
  Told told{.route = *place};
  {
    AlertFacts facts(run);
    const MutexLock lock(mutex_);
    told.message = watches_[*place].Test(facts);
  }
  Tell(run.advance == nullptr ? 0 : run.advance->number, told);
  return std::move(told.message.json);
}

bool AnyAlertCompares(const std::vector<AlertSpec>& alerts, const std::string& job) {
  return std::ranges::any_of(alerts, [&](const AlertSpec& alert) {
    return alert.job == job && ComparesResults(alert.on);
  });
}

}  // namespace sash
