// AlertDesk: looks at each result for the alerts of its job, and hands the alerts to their
// receivers. It is in front of the sinks: their results pass through it.
//
// Thread safety: like ResultSink. Any thread may call Statuses(), Specs(), Find(), Compares(),
// Pause() and Test(). OpenStore(), Put(), Remove() and Fit() belong to one thread; they wait while
// receivers take alerts.
//
// Invariants
//   (1) Flush() makes the alerts durable in their receivers first, and then the state that says
//       that they were sent. So after a crash an alert may be sent twice, with the same identity,
//       and none is missed. A commit comes after both.
//   (2) A result that comes again after a restart gives no alert again, if the state has seen it.
//   (3) The receivers get the alerts of one result before those of a later one.
//   (4) An alert that is put in place of one with the same condition keeps its state.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "connectors/sinks/alert_receiver.h"
#include "connectors/sinks/alerts/alert_watch.h"
#include "daemon/alerts/alert_routes.h"
#include "daemon/alerts/alert_store.h"
#include "windows/base/event_log.h"
#include "windows/base/mutex.h"
#include "windows/jobs/job_spec.h"
#include "windows/jobs/result_sink.h"

namespace sash {

class AlertDesk final : public ResultSink {
 public:
  struct Surroundings {
    ResultSink& sinks;
    AlertReceivers receivers;  // those with `content: alerts`
    EventLog& log;
    AlertRoutes::Subscribers tell;
    // Called once, when there is an alert for the first time; null: a replay keeps no state.
    std::function<Result<std::unique_ptr<AlertStore>>()> open_store{};
  };

  // kInvalidArgument: an alert that the check of the configuration would have refused.
  // kCorruption: the state is damaged.
  static Result<std::unique_ptr<AlertDesk>> Open(const std::vector<AlertSpec>& specs,
                                                 const std::vector<JobSpec>& jobs, KeyKind keys,
                                                 Surroundings surroundings);

  void Deliver(const CompletedRun& run) override;
  // No alert is about results that are not final.
  bool DeliverPartial(const CompletedRun& run) override {
    return around_.sinks.DeliverPartial(run);
  }
  // Nor about those on earlier advances.
  void DeliverPast(const CompletedRun& run, std::vector<PastDelivery>& deliveries) override {
    around_.sinks.DeliverPast(run, deliveries);
  }
  void Complete(const AdvanceReport& report) override { around_.sinks.Complete(report); }
  Status Flush() override;
  bool Rest() override { return around_.sinks.Rest(); }
  void Acknowledged(std::uint64_t advances) override { around_.sinks.Acknowledged(advances); }

  // Opens the state, once. Afterwards Put() and Fit() fail only because of wrong alerts.
  Status OpenStore();
  // Adds an alert, or replaces the one of its name. It ignores earlier results: if it is about
  // changes, it begins with the second result that it sees. kInvalidArgument: the alert does not
  // fit `job`, its job; otherwise the state cannot be opened. After an error nothing has changed.
  Status Put(const AlertSpec& spec, const JobSpec& job, KeyKind keys);
  // False: there is no such alert.
  bool Remove(std::string_view name);
  // Removes the alerts that are not in `wanted`, and puts those that differ.
  Status Fit(const std::vector<AlertSpec>& wanted, const std::vector<JobSpec>& jobs, KeyKind keys);

  // Whether an alert is about changes of the results of this job, so that the job must keep its
  // previous result. Never waits for a receiver.
  bool Compares(const std::string& job) const;

  std::vector<AlertStatus> Statuses() const;
  std::vector<AlertSpec> Specs() const;
  std::optional<AlertStatus> Find(std::string_view name) const;
  // False: there is no such alert.
  bool Pause(std::string_view name, bool paused);
  // Tells the receivers of the alert about `run`, a result of its job, as a test. Returns the
  // alert as JSON; none: there is no such alert.
  std::optional<std::string> Test(std::string_view name, const CompletedRun& run);

 private:
  struct Notification {
    std::size_t route = 0;
    AlertMessage message{};
  };

  explicit AlertDesk(Surroundings surroundings)
      : around_(std::move(surroundings)), routes_(around_.log, around_.tell) {}

  struct Made {
    AlertRoute route{};
    std::unique_ptr<AlertWatch> watch{};
  };
  Result<Made> Make(const AlertSpec& spec, const std::vector<std::string>& fields) const;
  Status ReadState();
  void NoteCompared() SASH_REQUIRES(mutex_);
  // Hands the standing alerts of these places to the receivers that follow ends.
  void TellStanding(const std::vector<std::size_t>& places) SASH_REQUIRES(telling_);
  std::optional<std::size_t> Place(std::string_view name) const SASH_REQUIRES(mutex_);

  const Surroundings around_;
  Mutex telling_;  // held while receivers take alerts; before mutex_
  AlertRoutes routes_ SASH_GUARDED_BY(telling_);
  mutable Mutex mutex_;  // before compared_mutex_
  // One at each place of routes_. A change of the list holds both mutexes.
  std::vector<std::unique_ptr<AlertWatch>> watches_ SASH_GUARDED_BY(mutex_);
  bool is_saved_ SASH_GUARDED_BY(mutex_) = true;
  std::unique_ptr<AlertStore> store_ SASH_GUARDED_BY(mutex_);  // once set, it stays
  mutable Mutex compared_mutex_;
  std::set<std::string, std::less<>> compared_ SASH_GUARDED_BY(compared_mutex_);  // jobs
};

}  // namespace sash
