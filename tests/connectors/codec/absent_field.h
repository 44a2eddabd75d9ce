// kAbsent: the end of a refusal for a field that is not there, which says what can be done.
#pragma once

#include <string>

namespace sash {

inline const std::string kAbsent =
    "; correct the record or the mapping, or leave such records out with `where`";

}  // namespace sash
