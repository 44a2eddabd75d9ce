// Forms of values: a form lists the shapes of a value, and reads, prints and compares it. A row
// (key_row.h) has a form. Other forms are next to the rows that need them.
//
// Thread safety: values.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "daemon/config/key_table.h"
#include "daemon/config/scalar_text.h"
#include "daemon/config/yaml_printer.h"
#include "daemon/config/yaml_section.h"

namespace sash {

inline constexpr auto kOptional = Presence::kOptional;
inline constexpr auto kRequired = Presence::kRequired;

template <typename Value>
std::string QuantityText(const Shape& shape, const Value& value) {
  if constexpr (std::is_same_v<Value, bool>) {
    return value ? "true" : "false";
  } else if constexpr (std::is_convertible_v<Value, Duration>) {
    return FormatDuration(value);
  } else if constexpr (std::is_floating_point_v<Value>) {
    return RealText(value);
  } else {
    return std::holds_alternative<ByteSize>(shape) ? FormatSize(value) : std::to_string(value);
  }
}

// A whole or real number, a duration, a size, true or false.
struct QuantityForm {
  Shape shape;

  std::vector<Shape> Shapes() const { return {shape}; }
  template <typename Value>
  void Read(const Section& section, const KeySpec& key, Value& value) const {
    if (key.presence == kRequired) {
      section.Require(key.name, value);
    } else {
      section.Read(key.name, value);
    }
  }
  template <typename Value>
  void Print(YamlPrinter& out, int depth, const KeySpec& key, const Value& value) const {
    out.Line(depth, key.name, QuantityText(shape, value));
  }
};

// A quantity, or a word for a special value.
template <typename Quantitative, typename Special>
struct OrWord {
  Quantitative shape;
  std::string_view word;
  Special special;

  std::vector<Shape> Shapes() const { return {shape, Words{{word}}}; }
  template <typename Value>
  void Read(const Section& section, const KeySpec& key, Value& value) const {
    section.ReadOr(key.name, value, {{word, Value(special)}});
  }
  template <typename Value>
  void Print(YamlPrinter& out, int depth, const KeySpec& key, const Value& value) const {
    if (value == Value(special)) {
      out.Line(depth, key.name, word);
    } else if constexpr (requires { *value; }) {
      out.Line(depth, key.name, QuantityText(shape, *value));
    } else {
      out.Line(depth, key.name, QuantityText(shape, value));
    }
  }
};
template <typename Quantitative, typename Special>
OrWord(Quantitative, const char*, Special) -> OrWord<Quantitative, Special>;

// One word of a fixed set; each word means a value.
template <typename Value>
struct OneOf {
  OneOf(std::initializer_list<std::pair<std::string_view, Value>> words) : choices(words) {}

  std::vector<Shape> Shapes() const {
    Words words;
    for (const auto& [word, value] : choices) words.words.push_back(word);
    return {std::move(words)};
  }
  bool Read(const Section& section, const KeySpec& key, Value& value) const {
    return section.Choose(key.name, value, choices);
  }
  void Print(YamlPrinter& out, int depth, const KeySpec& key, const Value& value) const {
    for (const auto& [word, meaning] : choices) {
      if (meaning == value) out.Line(depth, key.name, word);
    }
  }

  std::vector<std::pair<std::string_view, Value>> choices;
};

// Text with its own reader. Empty optional text is not printed.
struct TextForm {
  Text text;
  std::string_view expected;  // completes "give ..."
  Result<std::string> (*parse)(std::string_view text);

  std::vector<Shape> Shapes() const { return {text}; }
  template <typename Value>
  bool Read(const Section& section, const KeySpec& key, Value& value) const {
    return key.presence == kRequired ? section.Require(key.name, value, expected, parse)
                                     : section.Read(key.name, value, expected, parse);
  }
  void Print(YamlPrinter& out, int depth, const KeySpec& key, const std::string& value) const {
    if (!value.empty() || key.presence == kRequired) out.Line(depth, key.name, Quote(value));
  }
  void Print(YamlPrinter& out, int depth, const KeySpec& key,
             const std::optional<std::string>& value) const {
    if (value) out.Line(depth, key.name, Quote(*value));
  }
};

template <typename Form>
concept IsQuantity = std::is_same_v<Form, WholeNumber> || std::is_same_v<Form, RealNumber> ||
    std::is_same_v<Form, TimeSpan> || std::is_same_v<Form, ByteSize> || std::is_same_v<Form, Flag>;

template <typename Form>
auto FormOf(Form form) {
  if constexpr (IsQuantity<Form>) {
    return QuantityForm{form};
  } else {
    return form;
  }
}

}  // namespace sash
