#include "connectors/codec/scan_json.h"

#include <fmt/format.h>
#include <simdjson.h>

namespace sash {

std::optional<Refused> WhyNotJson(std::string_view text, std::string_view what, const char* wrong,
                                  const JsonScanner& scanner) {
  if (!simdjson::validate_utf8(text.data(), text.size())) {
    return Refused{RefusalReason::kInvalidUtf8, fmt::format("{} is not UTF-8", what)};
  }
  if (wrong == nullptr) return std::nullopt;
  return Refused{RefusalReason::kInvalidSyntax,
                 fmt::format("{} is not JSON: at byte {}, {}", what, scanner.stopped_at(), wrong)};
}

}  // namespace sash
