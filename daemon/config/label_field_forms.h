// The type and the id of an edge: fields like its keys, which may be absent. In place of a field, a
// type may be one word for all edges:
//
//   type: paid                              # a word
//   type: {from: /kind, case: lower}        # a field
//   id: /tx
//
// Thread safety: values.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "connectors/codec/format_spec.h"
#include "daemon/config/mapped_field_forms.h"
#include "windows/base/result.h"

namespace sash {

inline constexpr std::string_view kTypeRange =
    "a word of at most 255 bytes, or a field as {from: FIELD, ...}";

inline constexpr std::string_view kIdAbout =
    "What identifies the edge: a field, or {from, join, prefix, ...}. Its value is a string or a "
    "number, taken as its text. If it is absent, the edge has no id. Not with unwrap: debezium.";

// A word that is the type of edges: in a mapping, or in the list of a window.
Result<std::string> ParseTypeWord(std::string_view text);

// Syntax (mapped_field_forms.h) also says when the short form of a type is a field:
//   static bool IsField(const Place&);
//   static Result<std::string> ParseWord(const Place&, std::string_view text);
//   static Text Type();  // the short form

// `section`: of the long form of a key.
template <typename Syntax, typename Mapping>
KeyRow<Mapping, typename Syntax::Context> TypeFieldRow(std::string_view section,
                                                       std::string_view about) {
  using Context = typename Syntax::Context;
  const auto read = [section](const Section& mapping, Mapping& to, Context& context) {
    if (!mapping.Has("type")) return;
    const Place place = mapping.At("type");
    if (HasLongForm(mapping, "type") || Syntax::IsField(place)) {
      return ReadKeyFields<Syntax>(mapping, "type", section, context, to.type.emplace(),
                                   to.type_parts);
    }
    ReadAt(
        place, to.type_word, "a word such as paid, or a field such as {from: FIELD}",
        [&](std::string_view text) { return Syntax::ParseWord(place, text); }, mapping.errors());
  };
  const auto print = [](YamlPrinter& out, int depth, const Mapping& from) {
    if (from.type) out.Line(depth, "type", KeyFieldsText<Syntax>(*from.type, from.type_parts));
    if (!from.type_word.empty()) out.Line(depth, "type", Quote(from.type_word));
  };
  return {KeySpec{.name = "type",
                  .shapes = {Syntax::Type(), SectionShape{section}},
                  .about = about,
                  .default_text = "none",
                  .range_text = kTypeRange},
          read, print, [](const Mapping& a, const Mapping& b) {
            return a.type == b.type && a.type_parts == b.type_parts && a.type_word == b.type_word;
          }};
}

template <typename Syntax, typename Mapping>
KeyRow<Mapping, typename Syntax::Context> IdFieldRow(std::string_view section,
                                                     std::string_view about,
                                                     std::string_view range) {
  using Context = typename Syntax::Context;
  std::vector<Shape> shapes = Syntax::Shapes();
  shapes.push_back(SectionShape{section});
  const auto read = [section](const Section& mapping, Mapping& to, Context& context) {
    if (!mapping.Has("id")) return;
    ReadKeyFields<Syntax>(mapping, "id", section, context, to.id.emplace(), to.id_parts);
  };
  const auto print = [](YamlPrinter& out, int depth, const Mapping& from) {
    if (!from.id) return;
    const bool is_short = from.id_parts == KeyParts<typename Syntax::Field>();
    out.Line(depth, "id",
             is_short ? Syntax::ToYaml(*from.id) : KeyFieldsText<Syntax>(*from.id, from.id_parts));
  };
  return {KeySpec{.name = "id",
                  .shapes = std::move(shapes),
                  .about = about,
                  .default_text = "none",
                  .range_text = range},
          read, print, [](const Mapping& a, const Mapping& b) {
            return a.id == b.id && a.id_parts == b.id_parts;
          }};
}

}  // namespace sash
