// Claims about compressed streams: the text and its end do not depend on how the bytes are cut into
// pieces, and every step makes progress.
//
// Thread safety: a function.
#pragma once

#include <cstddef>
#include <string_view>

namespace sash::fuzz {

// Expands `bytes` as they are, if they begin like a stream, and as what follows the beginning of a
// stream of gzip and of zstd; whole, and in pieces of this size.
void CheckExpansion(std::string_view bytes, std::size_t piece);

}  // namespace sash::fuzz
