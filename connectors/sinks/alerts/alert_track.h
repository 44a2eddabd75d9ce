// AlertTrack: the state of an alert after the results that it has seen: the subjects for which its
// condition holds, for how many results, and when an alert was last sent about each.
//
// The rules (connectors/sinks/alerts.md):
//   - row, edge, changed, result: fires for each result, from the one on in which the condition has
//     held for `results` consecutive results.
//   - entered: begins with a row that enters while the condition holds, and goes on while the row
//     stays and the condition holds. It fires once, when `results` are reached.
//   - left: the same, with a row that leaves, and goes on while it stays away.
//   - at_most: nothing is fired about a subject whose last alert is less than this time before,
//     measured by the ends of windows.
//
// Thread safety: belongs to one thread.
//
// Invariants
//   (1) A result that is not newer than the newest one seen changes nothing and fires nothing. When
//       the job has moved to another window, the track begins again.
//   (2) Follow() depends on the results and `are_sent` alone: two tracks that see the same, one of
//       them through Write() and Read() in between, fire the same.
//   (3) An alert that is not sent holds back no later one.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "connectors/sinks/alerts/alert_condition.h"
#include "connectors/sinks/alerts/alert_facts.h"
#include "connectors/sinks/alerts/alert_spec.h"
#include "connectors/sinks/json_text.h"
#include "connectors/sinks/result_key.h"
#include "windows/base/clock.h"

namespace sash {

struct FiredAlert {
  FactRow row{};
  EventTime since{};          // end of the window of the first result in which it held
  std::uint32_t results = 0;  // in which it has held
};

class AlertTrack {
 public:
  static constexpr std::size_t kMostFired = 1000;  // by one result; further ones are counted

  explicit AlertTrack(const AlertSpec& spec) : spec_(spec) {}

  // Alerts in the order of the rows. `are_sent`: false while the alert is paused.
  std::vector<FiredAlert> Follow(AlertFacts& facts, AlertCondition& condition,
                                 bool are_sent = true);

  // Adds the state as the members of the open object; reads it from such an object. False: the text
  // is not such an object.
  void Write(JsonText& to) const;
  bool Read(std::string_view json);
  // Reads the newest result alone: results up to it count as seen.
  void ReadPosition(std::string_view json);
  bool HasSeen(const ResultIdentity& result) const;

  std::size_t holding() const { return streaks_.size(); }  // subjects for which it holds
  std::uint32_t longest() const;  // results in a row in which it has held; at most `results`
  std::uint64_t suppressed() const { return suppressed_; }          // by at_most
  std::uint64_t suppressed_now() const { return suppressed_now_; }  // in the newest result
  std::uint64_t left_out() const { return left_out_; }              // beyond kMostFired

 private:
  struct Streak {
    std::uint32_t results = 0;
    EventTime since{};
    std::string row{};  // of kLeft: JSON
  };
  using Streaks = std::map<std::string, Streak, std::less<>>;  // by subject

  struct Step;
  void FollowRows(const std::vector<FactRow>& rows, Step& step);
  void FollowEntered(Step& step);
  void FollowLeft(Step& step);
  void Fire(const FactRow& row, const Streak& streak, Step& step);
  void ForgetSent(EventTime now);

  AlertSpec spec_;
  std::optional<ResultIdentity> newest_;
  Streaks streaks_;
  std::map<std::string, EventTime, std::less<>> sent_;  // by subject: window end; with at_most
  std::uint64_t suppressed_ = 0;
  std::uint64_t suppressed_now_ = 0;
  std::uint64_t left_out_ = 0;
};

}  // namespace sash
