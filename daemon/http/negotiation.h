// Adapts an answer to the client: 304 if the client already has it, compressed if the client
// accepts gzip.
//
// Thread safety: pure functions; a handler is as safe as the handler in it.
#pragma once

#include <cstddef>
#include <string_view>

#include "daemon/http/http_message.h"

namespace sash {

// Smaller bodies are not compressed: they fit into one or two packets.
inline constexpr std::size_t kCompressedBytes = 1 << 10;

// A handler that adds both to `handler`.
//
// A `tagged` answer gets an ETag, a hash of its body, so equal answers of different processes have
// equal tags. A request with that tag in If-None-Match gets 304. The tag is weak, because the body
// may be compressed or not.
HttpHandler Negotiated(HttpHandler handler);

// Whether an Accept-Encoding accepts gzip.
bool TakesGzip(std::string_view accepted);

// Whether an If-None-Match contains the tag (an entity tag as in ETag).
bool NamesTag(std::string_view if_none_match, std::string_view tag);

}  // namespace sash
