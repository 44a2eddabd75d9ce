#include "daemon/config/time_field.h"

#include <algorithm>
#include <utility>

#include "daemon/config/field_list.h"
#include "daemon/config/time_forms.h"

namespace sash {

LongTime ReadLongTime(const Section& mapping, std::string_view section, FormatSpec& format) {
  const Section time = mapping.Child("time", section);
  FieldList list = ReadFieldList(time);
  LongTime read{std::move(list.fields), std::move(list.separator)};
  const auto keys = TimeTextKeys();
  read.says_how = std::ranges::any_of(keys, [&](const auto& key) { return time.Has(key); });
  ReadRows(time, TimeTextRows(), format);
  CheckTimeText(time, format);
  return read;
}

SectionSpec LongTimeSection(std::string_view section, std::vector<Shape> field, Text item) {
  SectionSpec spec = SectionFrom(section, TimeTextRows());
  const std::vector<KeySpec> fields = FieldListKeys(std::move(field), std::move(item));
  spec.keys.insert(spec.keys.begin(), fields.begin(), fields.end());
  return spec;
}

}  // namespace sash
