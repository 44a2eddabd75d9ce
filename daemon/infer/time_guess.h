// TimeGuess: how the values of a field are written, if they are event times.
//
// Each way is tried by the reader of the source (time_reader.h), so a guess is a way in which the
// source reads these values.
//
// Thread safety: pure functions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "connectors/codec/format_spec.h"
#include "daemon/infer/name_words.h"
#include "daemon/infer/sample_table.h"

namespace sash {

struct TimeGuess {
  FormatSpec how{};      // only time_unit, _step, _base, _format and _zone
  double share = 0;      // of the values that are read in this way
  std::string reason{};  // "numbers of ms since 1970, from ... to ..."
  std::string doubt{};   // what else it may be; empty: nothing
};

// `texts`: the values that are there. `words`: of the field's name.
std::optional<TimeGuess> GuessTime(const std::vector<std::string>& texts, const NameWords& words,
                                   bool are_numbers);

// A date and a time of day that two fields hold, joined with a blank.
std::optional<TimeGuess> GuessJoinedTime(const std::vector<std::string>& dates,
                                         const std::vector<std::string>& times_of_day);

// The keys of source.time that say it: `unit: ms`, `format: "%Y", zone: UTC`.
std::string TimeKeysText(const FormatSpec& how);

}  // namespace sash
