#include "connectors/codec/scan_json.h"

#include <fmt/format.h>
#include <simdjson.h>

#include "connectors/codec/not_utf8.h"

namespace sash {

std::optional<Refused> WhyNotJson(std::string_view text, std::string_view what, const char* wrong,
                                  const JsonScanner& scanner) {
  if (!simdjson::validate_utf8(text.data(), text.size())) {
    return NotUtf8(what, text);
  }
  if (wrong == nullptr) return std::nullopt;
  return Refused{RefusalReason::kInvalidSyntax,
                 fmt::format("{} is not JSON: at byte {}, {}", what, scanner.stopped_at(), wrong)};
}

}  // namespace sash
