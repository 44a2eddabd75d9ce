// ScanJson: scans a whole text, and says why it is not JSON.
//
// Thread safety: belongs to the thread of the scanner.
#pragma once

#include <optional>
#include <string_view>

#include "connectors/codec/decoder.h"
#include "connectors/codec/json_scanner.h"

namespace sash {

// `wrong` is what the scanner returned for this text.
std::optional<Refused> WhyNotJson(std::string_view text, std::string_view what, const char* wrong,
                                  const JsonScanner& scanner);

// Nothing if the text is JSON in UTF-8. `what` names the text in the message: "the record".
inline std::optional<Refused> ScanJson(std::string_view text, std::string_view what,
                                       JsonScanner& scanner) {
  const char* const wrong = scanner.Scan(text);
  if (wrong == nullptr && !scanner.has_wide_characters()) return std::nullopt;
  return WhyNotJson(text, what, wrong, scanner);
}

}  // namespace sash
