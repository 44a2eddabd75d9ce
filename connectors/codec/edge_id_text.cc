#include "connectors/codec/edge_id_text.h"

// Its functions are compiled here, so the library is not linked.
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace sash {

EdgeId EdgeIdOf(std::string_view text, std::uint64_t entry) {
  const XXH128_hash_t hash = XXH3_128bits_withSeed(text.data(), text.size(), entry);
  EdgeId id{.high = hash.high64, .low = hash.low64};
  if (!id.is_set()) id.low = 1;
  return id;
}

}  // namespace sash
