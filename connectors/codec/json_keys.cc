#include "connectors/codec/json_keys.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>

#include "connectors/codec/json_value.h"
#include "connectors/codec/number_text.h"

namespace sash {
namespace {

using Kind = JsonElement::Kind;

std::optional<Refused> ParseJsonKey(MappedField field, std::string_view text,
                                    const JsonFields& fields, DecodedKey& key) {
  const Result<std::int64_t> integer = ParseInteger(text);
  if (!integer.ok()) {
    return Refused{RefusalReason::kInvalidKey,
                   fmt::format("{}: {} {}{}", fields.Label(field), Excerpt(text),
                               integer.error().message, kWhenNoInteger)};
  }
  key.integer = integer.value();
  return std::nullopt;
}

}  // namespace

std::optional<Refused> JsonKeys::Build(MappedField whole, KeyBuilder& builder, JsonFields& fields,
                                       DecodedKey& key) {
  builder.Begin();
  for (std::size_t part = 0; part < builder.parts(); ++part) {
    const MappedField field = PartOf(whole, part);
    const JsonElement* element = fields.Element(field);
    if (element == nullptr) return fields.Missing(field);
    std::string_view text;
    if (auto refused = ReadText(field, *element, fields, text)) return refused;
    if (!builder.Add(text)) {
      return Refused{RefusalReason::kEmptyKey,
                     fmt::format("{} has only blanks", fields.Label(field))};
    }
  }
  key.text = builder.key();
  if (kind_ == KeyKind::kString) return std::nullopt;
  return ParseJsonKey(whole, key.text, fields, key);
}

std::optional<Refused> JsonKeys::ReadLabel(MappedField whole, KeyBuilder& builder,
                                           JsonFields& fields, std::string_view& label) {
  builder.Begin();
  for (std::size_t part = 0; part < builder.parts(); ++part) {
    const MappedField field = PartOf(whole, part);
    const JsonElement* const element = fields.Element(field);
    if (element == nullptr) return std::nullopt;
    std::string_view text = element->text == "-0" ? "0" : element->text;
    if (element->kind == Kind::kString) {
      text = fields.TextOf(field, *element);
    } else if (element->kind != Kind::kInteger &&
               (element->kind != Kind::kReal || whole != MappedField::kId)) {
      return fields.WrongType(field, *element,
                              whole == MappedField::kId ? "ids are strings or numbers"
                                                        : "types are strings or integers");
    }
    if (builder.is_plain()) {
      label = text;
      return std::nullopt;
    }
    if (!builder.Add(text)) return std::nullopt;
  }
  label = builder.key();
  return std::nullopt;
}

std::optional<Refused> JsonKeys::ReadInteger(MappedField field, const JsonElement& element,
                                             const JsonFields& fields, DecodedKey& key) const {
  if (!IsNumber(element)) {
    const bool is_text = (texts_ >> fields.NumberOf(field) & 1) != 0;
    if (is_text) return ParseJsonKey(field, element.text, fields, key);
    return fields.WrongType(field, element, "with keys: integer, keys must be JSON integers");
  }
  const std::optional<std::int64_t> integer = IntegerOf(element);
  if (!integer) {
    return Refused{RefusalReason::kInvalidKey,
                   fmt::format("{}: {} is not a 64-bit integer{}", fields.Label(field),
                               Excerpt(element.text), kWhenNoInteger)};
  }
  key.integer = *integer;
  return std::nullopt;
}

}  // namespace sash
