#include "connectors/codec/not_utf8.h"

#include <fmt/format.h>

#include "windows/base/utf8.h"

namespace sash {

Refused NotUtf8(std::string_view what, std::string_view text) {
  std::size_t place = 0;
  while (place < text.size()) {
    const Utf8Character character = FirstCharacter(text.substr(place));
    if (!character.code) break;
    place += character.length;
  }
  const unsigned byte = place < text.size() ? static_cast<unsigned char>(text[place]) : 0;
  return {RefusalReason::kInvalidUtf8,
          fmt::format("{} is not UTF-8: at byte {}, there is 0x{:02X}; write it in UTF-8 (a file "
                      "from Windows: `iconv -f WINDOWS-1252 -t UTF-8`)",
                      what, place, byte)};
}

}  // namespace sash
