// The refusal of a text that is not UTF-8.
//
// Thread safety: pure function.
#pragma once

#include <string_view>

#include "connectors/codec/decoder.h"

namespace sash {

// `what`: the name of `text`, which is not UTF-8, in a message.
Refused NotUtf8(std::string_view what, std::string_view text);

}  // namespace sash
