// MappingText: how records become edges, as text that two lives of a process can compare.
//
// It is canonical: two formats that make the same edges of every record have the same text, however
// they are written. What has no effect is not in it (the unit of times that come from Kafka),
// defaults are. Nor are the topics, and what decides in which slice an edge counts (disorder,
// late).
//
// A member of FormatSpec that gives edges another meaning belongs here.
//
// Thread safety: pure.
#pragma once

#include <string>
#include <string_view>

#include "connectors/codec/format_spec.h"

namespace sash {

// One line for each thing that counts: "edges[0].source: /from".
std::string MappingText(const FormatSpec& format);

// 16 hexadecimal digits of such a text.
std::string MappingDigest(std::string_view text);

// What differs, for a person: "edges[0].source was /from and is /to; keys was string and is
// integer". Empty when nothing does.
std::string MappingDifference(std::string_view before, std::string_view now);

}  // namespace sash
