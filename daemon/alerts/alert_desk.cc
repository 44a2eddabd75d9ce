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

Error NoJobOf(const AlertSpec& alert) {
  return {ErrorCode::kInvalidArgument,
          fmt::format("alert {}: there is no job {}", alert.name, alert.job)};
}

}  // namespace

Result<std::unique_ptr<AlertDesk>> AlertDesk::Open(const std::vector<AlertSpec>& specs,
                                                   const std::vector<JobSpec>& jobs, KeyKind keys,
                                                   Surroundings surroundings) {
  std::unique_ptr<AlertDesk> desk(new AlertDesk(std::move(surroundings)));
  const MutexLock telling(desk->telling_);
  for (const AlertSpec& spec : specs) {
    const std::string place = "alert " + spec.name;
    const JobSpec* const job = JobOf(spec, jobs);
    if (job == nullptr) return NoJobOf(spec);
    Result<std::vector<std::string>> fields = AlertFields(spec.on, *job, keys);
    if (!fields) return std::move(fields).error().Within(place);
    Result<Made> made = desk->Make(spec, fields.value());
    if (!made) return std::move(made).error().Within(place);
    desk->routes_.Put(desk->routes_.size(), std::move(made.value().route));
    const MutexLock lock(desk->mutex_);
    desk->watches_.push_back(std::move(made.value().watch));
  }
  if (!specs.empty()) {
    if (Status opened = desk->OpenStore(); !opened) return std::move(opened).error();
    if (Status read = desk->ReadState(); !read) return std::move(read).error().Within("alerts");
  }
  std::vector<std::size_t> all(desk->routes_.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  {
    const MutexLock lock(desk->mutex_);
    desk->NoteCompared();
  }
  desk->TellStanding(all);
  return desk;
}

Result<AlertDesk::Made> AlertDesk::Make(const AlertSpec& spec,
                                        const std::vector<std::string>& fields) const {
  Result<AlertWatch> watch = AlertWatch::Make(spec, fields);
  if (!watch) return std::move(watch).error();
  AlertRoute route = RouteOf(spec, around_.receivers);
  if (route.follows_ends) watch.value().FollowEnds();
  return Made{std::move(route), std::make_unique<AlertWatch>(std::move(watch).value())};
}

Status AlertDesk::OpenStore() {
  if (around_.open_store == nullptr) return Ok{};
  const MutexLock lock(mutex_);
  if (store_ != nullptr) return Ok{};
  Result<std::unique_ptr<AlertStore>> opened = around_.open_store();
  if (!opened) return std::move(opened).error();
  store_ = std::move(opened).value();
  return Ok{};
}

Status AlertDesk::Put(const AlertSpec& spec, const JobSpec& job, KeyKind keys) {
  Result<std::vector<std::string>> fields = AlertFields(spec.on, job, keys);
  if (!fields) return std::move(fields).error();
  Result<Made> made = Make(spec, fields.value());
  if (!made) return std::move(made).error();
  if (Status opened = OpenStore(); !opened) return opened;
  auto& [route, watch] = made.value();
  const MutexLock telling(telling_);
  std::size_t place = 0;
  {
    const MutexLock lock(mutex_);
    const std::optional<std::size_t> before = Place(spec.name);
    place = before.value_or(watches_.size());
    if (before) {
      JsonText known;
      watches_[place]->Write(known);
      (void)watch->Read(known.text());  // false: the condition is another one
      watch->Pause(watches_[place]->is_paused());
      watches_[place] = std::move(watch);
    } else {
      watches_.push_back(std::move(watch));
    }
    is_saved_ = false;
    NoteCompared();
  }
  routes_.Put(place, std::move(route));
  TellStanding({place});
  return Ok{};
}

bool AlertDesk::Remove(std::string_view name) {
  const MutexLock telling(telling_);
  std::size_t place = 0;
  {
    const MutexLock lock(mutex_);
    const std::optional<std::size_t> found = Place(name);
    if (!found) return false;
    place = *found;
    watches_.erase(watches_.begin() + static_cast<std::ptrdiff_t>(place));
    NoteCompared();
    is_saved_ = false;
  }
  routes_.Remove(place);
  return true;
}

Status AlertDesk::Fit(const std::vector<AlertSpec>& wanted, const std::vector<JobSpec>& jobs,
                      KeyKind keys) {
  const std::vector<AlertSpec> before = Specs();
  for (const AlertSpec& spec : before) {
    if (std::ranges::find(wanted, spec.name, &AlertSpec::name) == wanted.end()) Remove(spec.name);
  }
  for (const AlertSpec& spec : wanted) {
    if (std::ranges::find(before, spec) != before.end()) continue;
    const JobSpec* const job = JobOf(spec, jobs);
    if (job == nullptr) return NoJobOf(spec);
    if (Status put = Put(spec, *job, keys); !put) {
      return std::move(put).error().Within("alert " + spec.name);
    }
  }
  return Ok{};
}

void AlertDesk::NoteCompared() {
  const MutexLock lock(compared_mutex_);
  compared_.clear();
  for (const auto& watch : watches_) {
    if (ComparesResults(watch->spec().on)) compared_.insert(watch->spec().job);
  }
}

bool AlertDesk::Compares(const std::string& job) const {
  const MutexLock lock(compared_mutex_);
  return compared_.contains(job);
}

Status AlertDesk::ReadState() {
  const MutexLock lock(mutex_);
  if (store_ == nullptr) return Ok{};
  const Result<std::string> state = store_->Read();
  if (!state) return state.error();
  if (state.value().empty()) return Ok{};
  const auto json = nlohmann::json::parse(state.value(), nullptr, false);
  for (const auto& each : json.value("alerts", nlohmann::json::array())) {
    const std::string name = each.value("alert", "");
    const std::optional<std::size_t> place = Place(name);
    if (!place || watches_[*place]->Read(each.dump())) continue;
    around_.log.Log(alert_events::kChanged,
                    fmt::format("alert {}: its definition has changed; it begins with the next "
                                "result, without its earlier state",
                                name),
                    {{"alert", name}});
  }
  return Ok{};
}

void AlertDesk::Deliver(const CompletedRun& run) {
  around_.sinks.Deliver(run);
  const MutexLock telling(telling_);
  std::vector<Notification> notifications;
  std::vector<std::size_t> places;
  {
    AlertFacts facts(run);
    const MutexLock lock(mutex_);
    for (std::size_t i = 0; i < watches_.size(); ++i) {
      if (watches_[i]->spec().job != run.result->job) continue;
      for (AlertMessage& message : watches_[i]->Follow(facts)) {
        notifications.push_back({i, std::move(message)});
      }
      is_saved_ = false;
      places.push_back(i);
    }
  }
  // First the standing alerts: otherwise an alert could be repeated after its end was sent.
  TellStanding(places);
  for (const Notification& each : notifications) {
    routes_.Tell(each.route, run.advance->number, each.message);
  }
}

void AlertDesk::TellStanding(const std::vector<std::size_t>& places) {
  for (const std::size_t place : places) {
    if (!routes_.FollowsEnds(place)) continue;
    std::vector<AlertMessage> standing;
    {
      const MutexLock lock(mutex_);
      standing = watches_[place]->Standing();
    }
    routes_.Hold(place, standing);
  }
}

Status AlertDesk::Flush() {
  if (Status flushed = around_.sinks.Flush(); !flushed) return flushed;
  AlertStore* store = nullptr;
  JsonText state;
  {
    const MutexLock lock(mutex_);
    store = store_.get();
    if (store == nullptr || is_saved_) return Ok{};
    is_saved_ = true;
    state.BeginObject().Key("version").Integer(1).Key("alerts").BeginArray();
    for (const auto& watch : watches_) watch->Write(state);
    state.EndArray().EndObject();
  }
  Status saved = store->Save(std::move(state).Take());
  if (saved) return Ok{};
  const MutexLock lock(mutex_);
  is_saved_ = false;
  return std::move(saved).error().Within("alerts");
}

std::optional<std::size_t> AlertDesk::Place(std::string_view name) const {
  const auto found =
      std::ranges::find_if(watches_, [&](const auto& watch) { return watch->spec().name == name; });
  if (found == watches_.end()) return std::nullopt;
  return static_cast<std::size_t>(found - watches_.begin());
}

std::vector<AlertStatus> AlertDesk::Statuses() const {
  const MutexLock lock(mutex_);
  std::vector<AlertStatus> statuses;
  for (const auto& watch : watches_) statuses.push_back(watch->Status());
  return statuses;
}

std::vector<AlertSpec> AlertDesk::Specs() const {
  const MutexLock lock(mutex_);
  std::vector<AlertSpec> specs;
  for (const auto& watch : watches_) specs.push_back(watch->spec());
  return specs;
}

std::optional<AlertStatus> AlertDesk::Find(std::string_view name) const {
  const MutexLock lock(mutex_);
  const std::optional<std::size_t> place = Place(name);
  if (!place) return std::nullopt;
  return watches_[*place]->Status();
}

bool AlertDesk::Pause(std::string_view name, bool paused) {
  const MutexLock telling(telling_);
  std::optional<std::size_t> place;
  {
    const MutexLock lock(mutex_);
    place = Place(name);
    if (!place) return false;
    watches_[*place]->Pause(paused);
  }
  TellStanding({*place});
  return true;
}

std::optional<std::string> AlertDesk::Test(std::string_view name, const CompletedRun& run) {
  const MutexLock telling(telling_);
  Notification test;
  {
    AlertFacts facts(run);
    const MutexLock lock(mutex_);
    const std::optional<std::size_t> place = Place(name);
    if (!place) return std::nullopt;
    test.route = *place;
    test.message = watches_[*place]->Test(facts);
  }
  routes_.Tell(test.route, run.advance == nullptr ? 0 : run.advance->number, test.message);
  return std::move(test.message.json);
}

}  // namespace sash
