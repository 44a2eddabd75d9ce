// The long form of a mapped time: `{from: [/date, /time], join: " ", format: ..., zone: ...}`. The
// keys other than from and join are those of source.time, mean the same, and replace those.
//
// Thread safety: none needed; used within one parse.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "connectors/codec/format_spec.h"
#include "daemon/config/field_list.h"
#include "daemon/config/key_row.h"
#include "daemon/config/yaml_section.h"

namespace sash {

struct LongTime {
  std::vector<Place> fields;
  std::string separator;
  bool says_how = false;  // how times are written, in place of source.time
};
// Reads the long form, except the fields themselves. `section` is its name in key_table.cc.
LongTime ReadLongTime(const Section& mapping, std::string_view section, FormatSpec& format);

// Puts the fields of a long form into a mapping.
template <typename Mapping, typename Field>
void TakeTimeFields(std::vector<Field> fields, std::string separator, Mapping& mapping) {
  if (fields.empty()) return;
  mapping.time = std::move(fields.front());
  fields.erase(fields.begin());
  if (!fields.empty()) mapping.time_rest = {std::move(fields), std::move(separator)};
}

// Reads the long form of `time` into the format and its mapping, if it is present; for Syntax see
// mapped_field_forms.h. True: it says how times are written, in place of source.time.
template <typename Syntax, typename Mapping>
bool ReadLongTimeOf(const Section& section, std::string_view name,
                    typename Syntax::Context& context, FormatSpec& format, Mapping& mapping) {
  if (!HasLongForm(section, "time")) return false;
  LongTime time = ReadLongTime(section, name, format);
  std::vector<typename Syntax::Field> fields;
  for (const Place& place : time.fields) {
    Syntax::Read(place, "time.from", context, fields.emplace_back(), section.errors());
  }
  TakeTimeFields(std::move(fields), std::move(time.separator), mapping);
  return time.says_how;
}

// The row of `time`. ReadLongTimeOf() reads the long form, because it has keys of the format.
template <typename Syntax, typename Mapping>
KeyRow<Mapping, typename Syntax::Context> TimeFieldRow(std::string_view section,
                                                       std::string_view about,
                                                       std::string_view range) {
  using Context = typename Syntax::Context;
  std::vector<Shape> shapes = Syntax::Shapes();
  shapes.push_back(SectionShape{section});
  return {KeySpec{.name = "time",
                  .shapes = std::move(shapes),
                  .about = about,
                  .default_text = "none, but needed by `from: field`",
                  .range_text = range},
          [](const Section& mapping, Mapping& to, Context& context) {
            typename Syntax::Field field;
            if (!mapping.Has("time") || HasLongForm(mapping, "time")) return;
            if (Syntax::Read(mapping.At("time"), "time", context, field, mapping.errors())) {
              to.time = field;
            }
          },
          [](YamlPrinter& out, int depth, const Mapping& from) {
            if (!from.time) return;
            std::string fields = Syntax::ToYaml(*from.time);
            if (from.time_rest.more.empty()) return out.Line(depth, "time", fields);
            for (const auto& field : from.time_rest.more) fields += ", " + Syntax::ToYaml(field);
            out.Line(depth, "time", LongFormText(fields, from.time_rest.separator));
          },
          [](const Mapping& a, const Mapping& b) {
            return a.time == b.time && a.time_rest == b.time_rest;
          }};
}

// `field`: the shapes of a field; `item`: that of a field in a list.
SectionSpec LongTimeSection(std::string_view section, std::vector<Shape> field, Text item);

}  // namespace sash
