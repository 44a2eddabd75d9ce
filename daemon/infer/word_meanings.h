// What a word in the name of a field says about the content of the field: a dictionary of the words
// that people use in the files of known shapes.
//
// Thread safety: pure functions.
#pragma once

#include <optional>
#include <string_view>

#include "windows/base/clock.h"

namespace sash {

// Scores, as in NameWords.
struct WordMeaning {
  int source = 0;
  int target = 0;
  int entity = 0;
  int row = 0;
  int quantity = 0;
  int weight = 0;
  int time = 0;
  bool operation = false;
  bool thing = false;  // things of this word have ids of their own: user, movie
};

// `word` is in lower case. Null: it says nothing.
const WordMeaning* MeaningOf(std::string_view word);

// The time that a number counts in a field with this word: step, hour.
std::optional<Duration> StepOf(std::string_view word);

}  // namespace sash
