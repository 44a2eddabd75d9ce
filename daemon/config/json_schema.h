// The JSON Schema (draft 2020-12) of the configuration, for editors: made from key_table.h and from
// the defaults of the structs, so that it says what the parser does.
//
// It is about shape: keys, kinds of values, words, ranges. What only the parser sees: names that
// must exist or be new, lengths that must be multiples of slides, bounds of durations and sizes,
// options of librdkafka that sashd sets itself. In one thing it is stricter than the parser: a
// number, or true and false, in quotes is text to it.
#pragma once

#include <string>

namespace sash {

// Two spaces of indentation, a line break at its end.
std::string PrintSchema();

}  // namespace sash
