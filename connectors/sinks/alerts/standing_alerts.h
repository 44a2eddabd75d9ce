// StandingAlerts: the alerts of one definition that stand: they were sent, and have held since. It
// says which of them end, for receivers that show the alerts that fire now (Alertmanager).
//
// An alert stands as long as
//   - row, edge, changed, result: the row is in the result and meets the condition;
//   - entered: the row is in the list and meets the condition;
//   - left: the row stays away.
//
// Thread safety: belongs to one thread.
//
// Invariants
//   (1) Follow() depends on the results alone, as AlertTrack does, also through Write() and Read().
//   (2) At most kMost alerts stand. Beyond that, the one that has stood longest ends.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "connectors/sinks/alert_receiver.h"
#include "connectors/sinks/alerts/alert_condition.h"
#include "connectors/sinks/alerts/alert_facts.h"
#include "connectors/sinks/alerts/alert_spec.h"
#include "connectors/sinks/json_text.h"

namespace sash {

class StandingAlerts {
 public:
  static constexpr std::size_t kMost = 1000;

  // `fired`: what the result gives. Returns the alerts that end with this result, with
  // AlertMessage::ended and the identity of this result.
  std::vector<AlertMessage> Follow(const AlertSpec& spec, AlertFacts& facts,
                                   AlertCondition condition,
                                   const std::vector<AlertMessage>& fired);

  std::vector<AlertMessage> All() const;

  // Adds the state as one array; reads it. False: the text is not an array of them.
  void Write(JsonText& to) const;
  bool Read(std::string_view json);

 private:
  std::map<std::string, AlertMessage, std::less<>> standing_;  // by subject
};

}  // namespace sash
