// MappingText: the mapping from records to edges as text, so that a process can compare its mapping
// with that of the previous run.
//
// It is canonical: two formats that make the same edges of every record have the same text, however
// they are written. It includes defaults. It excludes settings without effect (the unit of times
// that come from Kafka), the topics of the source, the names of mappings, and the settings that
// decide in which slice an edge counts (disorder, late).
//
// Every member of FormatSpec that changes the meaning of edges must be in the text.
//
// Thread safety: pure functions.
#pragma once

#include <string>
#include <string_view>

#include "connectors/codec/format_spec.h"

namespace sash {

// One line per setting: "edges[0].source: /from". `dedupe_within`: that of TimePolicy, which says
// what ids do.
std::string MappingText(const FormatSpec& format, Duration dedupe_within = Duration::zero());

// A hash of such a text, as 16 hexadecimal digits.
std::string MappingDigest(std::string_view text);

// The differences, for a person: "edges[0].source was /from and is /to; keys was string and is
// integer". Empty when there are none.
std::string MappingDifference(std::string_view before, std::string_view now);

}  // namespace sash
