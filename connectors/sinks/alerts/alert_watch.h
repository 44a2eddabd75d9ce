// AlertWatch: one alert at work: its condition, its text, its state, and the alerts that it gave.
//
// Thread safety: none; the owner serialises.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "connectors/sinks/alerts/alert_condition.h"
#include "connectors/sinks/alerts/alert_message.h"
#include "connectors/sinks/alerts/alert_spec.h"
#include "connectors/sinks/alerts/alert_status.h"
#include "connectors/sinks/alerts/alert_text.h"
#include "connectors/sinks/alerts/alert_track.h"
#include "connectors/sinks/alerts/standing_alerts.h"
#include "windows/base/result.h"

namespace sash {

class AlertWatch {
 public:
  static constexpr std::size_t kKept = 20;  // newest alerts, for the API

  // `fields`: from AlertFields(). An error names the key: "where: ...", "text: ...".
  static Result<AlertWatch> Make(const AlertSpec& spec, const std::vector<std::string>& fields);

  // The text of the alert; empty when it has none of its own.
  static Result<AlertText> ParseText(const AlertSpec& spec, std::vector<std::string> fields);

  const AlertSpec& spec() const { return spec_; }

  // From now on Follow() also gives alerts that have ended.
  void FollowEnds() { follows_ends_ = true; }
  // The alerts that were sent and still hold; none without FollowEnds(), or while it is paused.
  std::vector<AlertMessage> Standing() const;

  // The alerts that a result gives, and then those that have ended. A paused alert follows results
  // and gives nothing.
  std::vector<AlertMessage> Follow(AlertFacts& facts);

  // An alert like those that results give, marked as a test: about the first row of the result to
  // which its condition applies, or about no row.
  AlertMessage Test(AlertFacts& facts);

  // Adds the state as one object. Read() takes the object of an alert with the same definition; of
  // another definition it takes the position only, and returns false.
  void Write(JsonText& to) const;
  bool Read(std::string_view json);

  void Pause(bool paused) { paused_ = paused; }
  bool is_paused() const { return paused_; }
  AlertStatus Status() const;

 private:
  AlertWatch(AlertSpec spec, AlertCondition condition, AlertText text)
      : spec_(std::move(spec)),
        condition_(std::move(condition)),
        text_(std::move(text)),
        track_(spec_) {}

  std::string Definition() const;

  AlertSpec spec_;
  AlertCondition condition_;
  AlertText text_;
  AlertTrack track_;
  bool follows_ends_ = false;
  StandingAlerts standing_;
  bool paused_ = false;
  std::uint64_t results_ = 0;  // seen
  std::uint64_t fired_ = 0;
  std::optional<EventTime> newest_end_;
  std::optional<EventTime> last_fired_;
  std::deque<std::string> last_;  // JSON, the newest first
};

}  // namespace sash
