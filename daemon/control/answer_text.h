// Answers of the API as tables for people.
//
// Thread safety: free functions over values.
// Invariants:
// (1) What is returned is printable, and ends in a line end when it is not empty.
// (2) Members that the API has and this does not know do no harm; those that lack are kNothing.
#pragma once

#include <string>
#include <string_view>

#include "daemon/control/json_value.h"

namespace sash {

// Anything: scalars as fields, a list of objects as a table of their members, what is nested deeper
// in paragraphs of its own. Figures are short, times and durations as in wording.h.
std::string DetailText(const JsonValue& value);

std::string WindowsText(const JsonValue& windows);
std::string JobsText(const JsonValue& jobs);

// Results by themselves, one a line.
std::string ResultListText(const JsonValue& results);

// One result with all that it lists.
std::string ResultText(const JsonValue& result);

// What changed from a result to the next: the figures of several, one a line; one with all its
// rows.
std::string DiffListText(const JsonValue& diffs);
std::string DiffText(const JsonValue& diff);

// The reason in a sentence, then everything that it comes from.
std::string WhyText(const JsonValue& why);

// An edge of the tap, on one line.
std::string EdgeText(const JsonValue& edge);

// What a reload has changed, and what needs a restart.
std::string ReloadText(const JsonValue& reload);

// What /api/v1 and /readyz say, by these names.
struct DaemonAnswers {
  JsonValue version;
  JsonValue readiness;
  JsonValue stream;
  JsonValue source;
  JsonValue windows;
  JsonValue jobs;
};

std::string StatusText(std::string_view url, const DaemonAnswers& answers);

}  // namespace sash
