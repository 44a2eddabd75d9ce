// AlertSpec: a condition on the results of a job, and the receivers of the alert (configuration:
// alerts[]).
//
// Thread safety: a value.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "windows/base/clock.h"

namespace sash {

// What a condition looks at. kEntered, kLeft and kChanged: rows that came into the list of a job,
// left it, or changed since the job's previous result. kRow: each row of vertices or sets; kEdge:
// each pair, cycle or path. kResult: the result as a whole.
enum class AlertOn : std::uint8_t { kEntered, kLeft, kChanged, kRow, kEdge, kResult };

constexpr std::string_view NameOf(AlertOn on) {
  switch (on) {
    case AlertOn::kEntered:
      return "entered";
    case AlertOn::kLeft:
      return "left";
    case AlertOn::kChanged:
      return "changed";
    case AlertOn::kRow:
      return "row";
    case AlertOn::kEdge:
      return "edge";
    case AlertOn::kResult:
      break;
  }
  return "result";
}

// Whether the condition is about a change from the job's previous result.
constexpr bool ComparesResults(AlertOn on) {
  return on == AlertOn::kEntered || on == AlertOn::kLeft || on == AlertOn::kChanged;
}

struct AlertSpec {
  static constexpr std::uint32_t kMostResults = 10'000;
  static constexpr std::string_view kLog = "log";  // the receiver that is always there

  std::string name{};
  std::string job{};
  AlertOn on = AlertOn::kRow;
  std::string where{};                  // a filter over the members of the row; empty: each
  std::uint32_t results = 1;            // `for`: consecutive results in which it must hold
  Duration at_most = Duration::zero();  // between two alerts about one subject, in window ends
  std::string text{};                   // with fields in braces; empty: a sentence of our own
  std::vector<std::string> to{};        // names of receivers; empty: every one
  std::map<std::string, std::string> labels{};  // for Alertmanager

  friend bool operator==(const AlertSpec&, const AlertSpec&) = default;
};

}  // namespace sash
