// The JSON Schema (draft 2020-12) of the configuration, for editors. It is generated from
// key_table.h and the defaults of the structs, so that it agrees with the parser.
//
// The schema describes keys, kinds of values, words and ranges. Only the parser checks names that
// must exist or be unique, lengths that must be multiples of slides, bounds of durations and sizes,
// and options of librdkafka that sashd sets itself. The schema is stricter in one point: a quoted
// number, true or false is text.
//
// Thread safety: pure functions.
#pragma once

#include <string>

namespace sash {

// Indented by two spaces; ends with a line break.
std::string PrintSchema();

}  // namespace sash
