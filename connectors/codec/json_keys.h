// JsonKeys: reads the keys of an edge, its type and its id.
//
// Thread safety: belongs to one thread.
#pragma once

#include <optional>
#include <string_view>

#include "connectors/codec/decoder.h"
#include "connectors/codec/edge_fields.h"
#include "connectors/codec/json_fields.h"
#include "connectors/codec/key_builder.h"

namespace sash {

class JsonKeys {
 public:
  // `texts`: the fields that are text even if they are numbers.
  JsonKeys(KeyKind kind, FieldSet texts) : kind_(kind), texts_(texts) {}

  // Builders are those of the field.
  [[gnu::always_inline]] std::optional<Refused> Read(MappedField field, KeyBuilder& builder,
                                                     JsonFields& fields, DecodedKey& key) {
    if (!builder.is_plain()) return Build(field, builder, fields, key);
    const JsonElement* element = fields.Element(field);
    if (element == nullptr) return fields.Missing(field);
    if (kind_ == KeyKind::kInteger) return ReadInteger(field, *element, fields, key);
    return ReadText(field, *element, fields, key.text);
  }
  // The type or the id; `label` is not changed if it is absent.
  [[gnu::noinline]] static std::optional<Refused> ReadLabel(MappedField whole, KeyBuilder& builder,
                                                            JsonFields& fields,
                                                            std::string_view& label);

 private:
  [[gnu::noinline]] std::optional<Refused> Build(MappedField whole, KeyBuilder& builder,
                                                 JsonFields& fields, DecodedKey& key);
  [[gnu::noinline]] std::optional<Refused> ReadInteger(MappedField field,
                                                       const JsonElement& element,
                                                       const JsonFields& fields,
                                                       DecodedKey& key) const;
  // An integer is the same key as its text.
  [[gnu::always_inline]] static std::optional<Refused> ReadText(MappedField field,
                                                                const JsonElement& element,
                                                                JsonFields& fields,
                                                                std::string_view& text) {
    if (element.kind == JsonElement::Kind::kInteger) {
      text = element.text == "-0" ? "0" : element.text;
      return std::nullopt;
    }
    if (element.kind != JsonElement::Kind::kString) {
      return fields.WrongType(field, element, "keys must be strings or integers");
    }
    text = fields.TextOf(field, element);
    if (!text.empty()) return std::nullopt;
    return fields.Empty(field);
  }

  const KeyKind kind_;
  const FieldSet texts_;
};

}  // namespace sash
