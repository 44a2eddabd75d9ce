#include "daemon/config/yaml_printer.h"

#include <fmt/format.h>

#include "connectors/codec/quoted_text.h"
#include "daemon/config/secret_reference.h"

namespace sash {

std::string Quote(std::string_view text) { return Quoted(EscapeReferences(text)); }

std::string RealText(double number) { return fmt::format("{}", number); }

void YamlPrinter::Line(int depth, std::string_view key, std::string_view value) {
  const int indent = depth * 2 - (begins_item_ ? 2 : 0);
  text_ += fmt::format("{:{}}{}{}:{}{}\n", "", indent, begins_item_ ? "- " : "", key,
                       value.empty() ? "" : " ", value);
  begins_item_ = false;
}

}  // namespace sash
