// AlertCondition: the filter of an alert, over the members of a row.
//
// The language is that of connectors/codec/filter. A field is the name of a member.
//
// Thread safety: belongs to one thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "connectors/codec/filter/filter_run.h"
#include "connectors/sinks/alerts/alert_facts.h"
#include "windows/base/result.h"

namespace sash {

class AlertCondition {
 public:
  // An empty text holds for each row. An error says line, column, what is wrong and what would be
  // right; a name that is not among `fields` is one.
  static Result<AlertCondition> Parse(std::string_view text,
                                      const std::vector<std::string>& fields);

  // A filter that has no value for the row does not hold.
  bool Holds(const FactRow& row);

  std::uint64_t failures() const { return failures_; }
  const std::string& last_failure() const { return last_failure_; }

 private:
  AlertCondition() = default;

  std::optional<FilterRun> run_;
  std::vector<FilterValue> values_;  // of the last row
  std::uint64_t failures_ = 0;
  std::string last_failure_;
};

}  // namespace sash
