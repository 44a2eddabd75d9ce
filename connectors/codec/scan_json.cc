#include "connectors/codec/scan_json.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <cstddef>

#include "connectors/codec/not_utf8.h"

namespace sash {
namespace {

// What the text probably is, and what its owner can do.
std::string_view Hint(std::string_view text, std::string_view what, std::size_t stopped_at) {
  const std::string_view rest = text.substr(std::min(stopped_at, text.size()));
  for (const std::string_view word : {"NaN", "Infinity", "-Infinity"}) {
    if (rest.starts_with(word)) {
      return "; NaN and Infinity are not JSON: let the producer write null";
    }
  }
  if (text.starts_with('\x1E')) {
    return "; it begins with the separator of JSON text sequences: remove that (`tr -d '\\036'`)";
  }
  if (text.find_first_of("\r\n") != std::string_view::npos && rest.starts_with('{')) {
    return "; another object follows on a line of its own: a line ends in LF or CRLF, not in CR "
           "alone, and a record of Kafka with several lines needs `lines: true`";
  }
  if (rest.empty() && !text.empty() && what == "the record") {
    return ", where the record ends; in a file, each line is a record";
  }
  return "";
}

}  // namespace

std::optional<Refused> WhyNotJson(std::string_view text, std::string_view what, const char* wrong,
                                  const JsonScanner& scanner) {
  if (!simdjson::validate_utf8(text.data(), text.size())) {
    return NotUtf8(what, text);
  }
  if (wrong == nullptr) return std::nullopt;
  return Refused{RefusalReason::kInvalidSyntax,
                 fmt::format("{} is not JSON: at byte {}, {}{}", what, scanner.stopped_at(), wrong,
                             Hint(text, what, scanner.stopped_at()))};
}

}  // namespace sash
