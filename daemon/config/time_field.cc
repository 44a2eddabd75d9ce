#include "daemon/config/time_field.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "daemon/config/scalar_text.h"
#include "daemon/config/time_forms.h"
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

bool HasLongTime(const Section& mapping) {
  return mapping.Has("time") && mapping.At("time").node->kind == YamlNode::Kind::kMapping;
}

LongTime ReadLongTime(const Section& mapping, std::string_view section, FormatSpec& format) {
  const Section time = mapping.Child("time", section);
  LongTime read;
  if (!time.Has("from")) {
    time.FailMissing("from", fmt::format("give {}", kFieldsText));
  } else if (time.At("from").node->kind == YamlNode::Kind::kList) {
    read.fields = time.Items("from", kFieldsText);
    if (read.fields.empty() || read.fields.size() > kMostTimeParts) {
      time.Fail("from",
                fmt::format("has {} fields; give 1 to {}", read.fields.size(), kMostTimeParts));
      read.fields.clear();
    }
  } else {
    read.fields = {time.At("from")};
  }
  if (time.Has("join")) {
    if (time.At("join").node->text.empty() && time.At("join").node->quoted) {
      read.separator.clear();
    } else {
      time.Read("join", read.separator, "the text between the fields", ParseSeparator);
    }
  } else if (read.fields.size() > 1) {
    time.Fail("join", "is required: give the text that is put between the fields, such as \" \"");
  }
  const auto keys = TimeTextKeys();
  read.says_how = std::ranges::any_of(keys, [&](const auto& key) { return time.Has(key); });
  ReadRows(time, TimeTextRows(), format);
  CheckTimeText(time, format);
  return read;
}

std::string LongTimeText(std::string_view fields, std::string_view separator) {
  return fmt::format("{{from: [{}], join: {}}}", fields, Quote(separator));
}

SectionSpec LongTimeSection(std::string_view section, std::vector<Shape> field, Text item) {
  SectionSpec spec = SectionFrom(section, TimeTextRows());
  field.push_back(Items{std::move(item), true});
  spec.keys.insert(
      spec.keys.begin(),
      {KeySpec{.name = "from",
               .shapes = std::move(field),
               .about = "A field, or up to 4 fields, whose texts are joined. A record that lacks "
                        "one of them is refused.",
               .presence = kRequired,
               .range_text = "a field or a list of fields"},
       KeySpec{.name = "join",
               .shapes = {Text{R"(^[\s\S]{0,16}$)", Text::Bare::kAnything, "up to 16 characters"}},
               .about = "The text that is put between joined fields.",
               .default_text = "required",
               .range_text = "at most 16 characters"}});
  return spec;
}

}  // namespace sash
