#include "daemon/config/yaml_printer.h"

#include <fmt/format.h>

#include "daemon/config/secret_reference.h"

namespace sash {

std::string QuoteRaw(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (byte < 0x20 || byte == 0x7f) {
      quoted += fmt::format("\\x{:02x}", byte);
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

std::string Quote(std::string_view text) { return QuoteRaw(EscapeReferences(text)); }

std::string RealText(double number) { return fmt::format("{}", number); }

void YamlPrinter::Line(int depth, std::string_view key, std::string_view value) {
  const int indent = depth * 2 - (begins_item_ ? 2 : 0);
  text_ += fmt::format("{:{}}{}{}:{}{}\n", "", indent, begins_item_ ? "- " : "", key,
                       value.empty() ? "" : " ", value);
  begins_item_ = false;
}

}  // namespace sash
