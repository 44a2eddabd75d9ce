// EdgeIdHash: the hash of an id for tables of ids, with the secret of the process.
//
// Thread safety: like an integer.
#pragma once

#include <cstdint>

#include "windows/base/keyed_hash.h"
#include "windows/ingest/edge_id.h"

namespace sash {

struct EdgeIdHash {
  std::uint64_t operator()(const EdgeId& id) const { return hash(hash(id.high) ^ id.low); }

  KeyedHash hash{};
};

}  // namespace sash
