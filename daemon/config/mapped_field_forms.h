// The long forms of mapped fields other than the time: how keys are made, and how weights and
// operations are written.
//
//   source: {from: [/bank, /id], join: ":", prefix: "acct:", case: lower, trim: true}
//   weight: {from: /amount, decimal: ",", group: ".", invalid: zero}
//   operation: {from: /op, add: [c, r], remove: [d]}
//
// Thread safety: values.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "connectors/codec/format_spec.h"
#include "daemon/config/field_list.h"
#include "daemon/config/key_row.h"

namespace sash {

// The keys of a long form other than those of FieldListKeys().
const KeyRows<KeySpelling>& KeySpellingRows();
const KeyRows<WeightSpelling>& WeightSpellingRows();
const KeyRows<OperationWords>& OperationWordsRows();

// The rules between these keys.
void CheckWeightSpelling(const Section& weight, const WeightSpelling& text);
void CheckOperationWords(const Section& operation, const OperationWords& words);

// The settings that differ from their defaults, as ", name: value" for a long form.
std::string MoreText(const KeySpelling& text);
std::string MoreText(const WeightSpelling& text);
std::string MoreText(const OperationWords& words);

// The sections of the long forms of a format: `key`, `weight` and `operation` are their names in
// key_table.cc, `field` the shapes of a field, and `item` that of a field in a list.
std::vector<SectionSpec> MappedFieldSections(std::string_view key, std::string_view weight,
                                             std::string_view operation,
                                             const std::vector<Shape>& field, const Text& item);

// Syntax names a field of the format:
//   using Field = ...; using Context = ...;   // what readers of fields need
//   static bool Read(const Place&, std::string_view key, Context&, Field&, ErrorList&);
//   static std::string ToYaml(const Field&);
//   static std::vector<Shape> Shapes();
//   static constexpr std::string_view kNeed;  // completes "give ..."

// Reads the fields of a key, a type or an id in either form. REQUIRES: it is present.
template <typename Syntax>
void ReadKeyFields(const Section& mapping, std::string_view name, std::string_view section,
                   typename Syntax::Context& context, typename Syntax::Field& first,
                   KeyParts<typename Syntax::Field>& parts) {
  if (!HasLongForm(mapping, name)) {
    Syntax::Read(mapping.At(name), name, context, first, mapping.errors());
    return;
  }
  const Section field = mapping.Child(name, section);
  FieldList list = ReadFieldList(field);
  for (std::size_t i = 0; i < list.fields.size(); ++i) {
    typename Syntax::Field& to = i == 0 ? first : parts.rest.more.emplace_back();
    Syntax::Read(list.fields[i], name, context, to, mapping.errors());
  }
  if (list.fields.size() > 1) parts.rest.separator = std::move(list.separator);
  ReadRows(field, KeySpellingRows(), parts.text);
}

// The fields in the long form, as YAML.
template <typename Syntax>
std::string KeyFieldsText(const typename Syntax::Field& first,
                          const KeyParts<typename Syntax::Field>& parts) {
  std::string fields = Syntax::ToYaml(first);
  for (const auto& field : parts.rest.more) fields += ", " + Syntax::ToYaml(field);
  return LongFormText(fields, parts.rest.separator, MoreText(parts.text));
}

// A row for the source or the target.
template <typename Syntax, typename Mapping>
KeyRow<Mapping, typename Syntax::Context> KeyFieldRow(
    std::string_view name, std::string_view section, typename Syntax::Field Mapping::*first,
    KeyParts<typename Syntax::Field> Mapping::*parts, std::string_view about,
    std::string_view range) {
  using Context = typename Syntax::Context;
  std::vector<Shape> shapes = Syntax::Shapes();
  shapes.push_back(SectionShape{section});
  const KeySpec key{.name = name,
                    .shapes = std::move(shapes),
                    .about = about,
                    .presence = kRequired,
                    .range_text = range};
  return {key,
          [=](const Section& mapping, Mapping& to, Context& context) {
            if (!mapping.Has(name)) {
              return mapping.FailMissing(name, std::string("give ") + std::string(Syntax::kNeed));
            }
            ReadKeyFields<Syntax>(mapping, name, section, context, to.*first, to.*parts);
          },
          [=](YamlPrinter& out, int depth, const Mapping& from) {
            const bool is_short = from.*parts == KeyParts<typename Syntax::Field>();
            out.Line(depth, name,
                     is_short ? Syntax::ToYaml(from.*first)
                              : KeyFieldsText<Syntax>(from.*first, from.*parts));
          },
          [=](const Mapping& a, const Mapping& b) {
            return a.*first == b.*first && a.*parts == b.*parts;
          }};
}

// A row for an optional field with settings of its own: the weight or the operation.
template <typename Syntax, typename Mapping, typename Settings>
KeyRow<Mapping, typename Syntax::Context> SetFieldRow(
    std::string_view name, std::string_view section,
    std::optional<typename Syntax::Field> Mapping::*member, Settings Mapping::*settings,
    const KeyRows<Settings>& rows, void (*check)(const Section&, const Settings&),
    std::string_view about, std::string_view range) {
  using Context = typename Syntax::Context;
  std::vector<Shape> shapes = Syntax::Shapes();
  shapes.push_back(SectionShape{section});
  const KeySpec key{.name = name, .shapes = std::move(shapes), .about = about, .range_text = range};
  const auto* const all = &rows;
  return {key,
          [=](const Section& mapping, Mapping& to, Context& context) {
            typename Syntax::Field field;
            if (!mapping.Has(name)) return;
            if (!HasLongForm(mapping, name)) {
              if (Syntax::Read(mapping.At(name), name, context, field, mapping.errors())) {
                to.*member = field;
              }
              return;
            }
            const Section own = mapping.Child(name, section);
            if (!own.Has("from")) {
              own.FailMissing("from", std::string("give ") + std::string(Syntax::kNeed));
            } else if (Syntax::Read(own.At("from"), name, context, field, mapping.errors())) {
              to.*member = field;
            }
            ReadRows(own, *all, to.*settings);
            check(own, to.*settings);
          },
          [=](YamlPrinter& out, int depth, const Mapping& from) {
            if (!(from.*member)) return;
            const std::string field = Syntax::ToYaml(*(from.*member));
            const std::string more = MoreText(from.*settings);
            out.Line(depth, name, more.empty() ? field : "{from: " + field + more + "}");
          },
          [=](const Mapping& a, const Mapping& b) {
            return a.*member == b.*member && a.*settings == b.*settings;
          }};
}

}  // namespace sash
