// AlertFacts: one result of a job as alerts see it: rows whose members have the names and values
// that they have in JSON.
//
// Each part is made when the first alert asks for it; the alerts of a job share it. Cost of a part:
// the JSON of the result, or of its diff, is written and read once.
//
// Thread safety: belongs to one thread. It must not outlive the run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "windows/jobs/run_result.h"

namespace sash {

// null, or a list or object, which has no single value for a condition
struct NoFact {
  bool is_list = false;
  std::string words{};  // of a list: its values, for texts
  friend bool operator==(const NoFact&, const NoFact&) = default;
};
using FactValue = std::variant<NoFact, bool, std::int64_t, double, std::string>;

struct Fact {
  std::string name{};
  FactValue value{};
};

struct FactRow {
  std::string subject{};  // what the row is about: a text key itself, otherwise JSON
  std::string json{};     // the row, as it is in the result
  std::vector<Fact> facts{};

  const FactValue* Find(std::string_view name) const;
};

// A row from its JSON; `one`: the member that names its subject, if there is one.
FactRow ReadFactRow(std::string_view json, std::string_view one);

struct ChangedRows {
  std::vector<FactRow> entered{};
  std::vector<FactRow> left{};
  std::vector<FactRow> changed{};
};

class AlertFacts {
 public:
  explicit AlertFacts(const CompletedRun& run) : run_(run) {}

  const CompletedRun& run() const { return run_; }

  // The rows of all lists of the result, as far as it lists them.
  const std::vector<FactRow>& Rows();
  // Only of a job with HasDiffs(); none without an earlier result. Rows that left have the members
  // that they had.
  const std::vector<FactRow>& Entered() { return Changes().entered; }
  const std::vector<FactRow>& Left() { return Changes().left; }
  const std::vector<FactRow>& Changed() { return Changes().changed; }
  // One row without a subject: the members of the result that are single values, `rows` (how many
  // it lists), and `top_` with the name of the value of a row: that of the first row.
  const FactRow& Whole();

 private:
  const ChangedRows& Changes();

  const CompletedRun& run_;
  std::optional<std::vector<FactRow>> rows_;
  std::optional<ChangedRows> changes_;
  std::optional<FactRow> whole_;
};

}  // namespace sash
