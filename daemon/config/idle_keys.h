// Keys of a valid configuration that have no effect because of other keys, or an effect that nobody
// wants. They are not errors: --check and --probe warn about them, and the start logs them.
//
// Thread safety: pure functions.
#pragma once

#include <string>
#include <vector>

#include "daemon/config/config.h"

namespace sash {

struct IdleKey {
  std::string key;     // dotted path: "source.format.json.id"
  std::string what;    // follows the key
  std::string remedy;  // what would be right

  std::string ToString() const { return key + ": " + what + "; " + remedy; }
};

std::vector<IdleKey> FindIdleKeys(const Config& config);

}  // namespace sash
