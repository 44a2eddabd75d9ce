// What an answer becomes for the client that asks: nothing when it has it already, compressed when
// it takes that.
#pragma once

#include <cstddef>
#include <string_view>

#include "daemon/http/http_message.h"

namespace sash {

// Smaller bodies are sent as they are: they fit into a packet or two.
inline constexpr std::size_t kCompressedBytes = 1 << 10;

// The handler with both.
//
// An answer that is `tagged` gets an ETag, made of its body: the same in every process that says
// the same. A request that names it in If-None-Match gets 304. The tag is weak, since the body may
// be compressed or not.
HttpHandler Negotiated(HttpHandler handler);

// Whether an Accept-Encoding takes gzip.
bool TakesGzip(std::string_view accepted);

// Whether an If-None-Match names the tag (an entity tag, as ETag has it).
bool NamesTag(std::string_view if_none_match, std::string_view tag);

}  // namespace sash
