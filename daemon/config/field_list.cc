#include "daemon/config/field_list.h"

#include <fmt/format.h>

#include <utility>

#include "connectors/codec/format_spec.h"
#include "daemon/config/scalar_text.h"
#include "daemon/config/yaml_printer.h"

namespace sash {
namespace {

constexpr std::string_view kFieldsText = "a field, or a list of fields";
constexpr std::size_t kLongestSeparator = 16;

Result<std::string> ParseSeparator(std::string_view text) {
  if (text.size() > kLongestSeparator) {
    return Wrong(fmt::format("has {} bytes; at most {} can be put between fields", text.size(),
                             kLongestSeparator));
  }
  return std::string(text);
}

}  // namespace

bool HasLongForm(const Section& mapping, std::string_view field) {
  return mapping.Has(field) && mapping.At(field).node->kind == YamlNode::Kind::kMapping;
}

FieldList ReadFieldList(const Section& field) {
  FieldList read;
  if (!field.Has("from")) {
    field.FailMissing("from", fmt::format("give {}", kFieldsText));
  } else if (field.At("from").node->kind == YamlNode::Kind::kList) {
    read.fields = field.Items("from", kFieldsText);
    if (read.fields.empty() || read.fields.size() > kMostParts) {
      field.Fail("from",
                 fmt::format("has {} fields; give 1 to {}", read.fields.size(), kMostParts));
      read.fields.clear();
    }
  } else {
    read.fields = {field.At("from")};
  }
  if (field.Has("join")) {
    if (field.At("join").node->text.empty() && field.At("join").node->quoted) {
      read.separator.clear();
    } else {
      field.Read("join", read.separator, "the text between the fields", ParseSeparator);
    }
  } else if (read.fields.size() > 1) {
    field.Fail("join", "is required: give the text that is put between the fields, such as \" \"");
  }
  return read;
}

std::string LongFormText(std::string_view fields, std::string_view separator,
                         std::string_view more) {
  return fmt::format("{{from: [{}], join: {}{}}}", fields, Quote(separator), more);
}

std::vector<KeySpec> FieldListKeys(std::vector<Shape> field, Text item) {
  field.push_back(Items{std::move(item), true});
  return {
      KeySpec{.name = "from",
              .shapes = std::move(field),
              .about = "A field, or up to 4 fields, whose texts are joined. A record that lacks "
                       "one of them is refused; a type or an id is then absent.",
              .presence = Presence::kRequired,
              .range_text = "a field or a list of fields"},
      KeySpec{.name = "join",
              .shapes = {Text{R"(^[\s\S]{0,16}$)", Text::Bare::kAnything, "up to 16 characters"}},
              .about = "The text that is put between joined fields.",
              .default_text = "required",
              .range_text = "at most 16 characters"}};
}

}  // namespace sash
