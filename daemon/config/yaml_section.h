// Section: typed reading of one mapping of the configuration. Errors go to the ErrorList and
// reading continues, so that one parse finds every error.
//
// Thread safety: none needed; sections live within one parse.
//
// Invariants:
// (1) Every key that is read is in key_table.cc, with its words and its rules of exactly one key;
//     otherwise the process crashes. Every key in the file that is not in the table is an error.
// (2) An invalid value leaves `out` unchanged and gives exactly one error.
// (3) A section of the wrong type gives one error; its keys are not reported as missing.
// (4) No message contains a whole value from the environment or a file.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "daemon/config/error_list.h"
#include "daemon/config/key_table.h"
#include "windows/base/check.h"
#include "windows/base/result.h"

namespace sash {

// The scalar at a place, or null after an error (or if the node is broken). `expected` completes
// "expected ..." and "is empty; give ...".
const YamlNode* ScalarAt(const Place& place, std::string_view expected, ErrorList& errors);

// `parse` is Result<...>(std::string_view text).
template <typename Out, typename Parse>
bool ReadAt(const Place& place, Out& out, std::string_view expected, Parse parse,
            ErrorList& errors);

// The items of a list, or none after an error.
std::vector<Place> ItemsAt(const Place& place, std::string_view expected, ErrorList& errors);

// The entries of a mapping whose keys the user chooses, or none after an error.
struct NamedPlace {
  std::string key;
  Place place;
};
std::vector<NamedPlace> EntriesAt(const Place& place, std::string_view expected, ErrorList& errors);

class Section {
 public:
  // `keys` is the section's name in key_table.cc.
  Section(Place place, std::string_view keys, ErrorList& errors);

  bool Has(std::string_view key) const { return Find(key) != nullptr; }
  int LineOf(std::string_view key) const;  // of the key, or of the section
  Place At(std::string_view key) const;
  const std::string& path() const { return place_.path; }
  ErrorList& errors() const { return *errors_; }

  void Fail(std::string_view key, std::string message) const;
  // "is required: <remedy>"
  void FailMissing(std::string_view key, std::string_view remedy) const;

  // True if the key is present and valid.
  template <typename Out, typename Parse>
  bool Read(std::string_view key, Out& out, std::string_view expected, Parse parse) const {
    return Has(key) && ReadAt(At(key), out, expected, parse, *errors_);
  }

  template <typename Out, typename Parse>
  bool Require(std::string_view key, Out& out, std::string_view expected, Parse parse) const {
    if (!Has(key)) FailMissing(key, std::string("give ") + std::string(expected));
    return Read(key, out, expected, parse);
  }

  // Reads the kind of value that the table has for the key: a whole or real number, a duration, a
  // size, true or false.
  template <typename Out>
  bool Read(std::string_view key, Out& out) const {
    return ReadOr(key, out, {});
  }

  // The same, or one of the words of the table, each of which means a value.
  template <typename Out>
  bool ReadOr(std::string_view key, Out& out,
              const std::vector<std::pair<std::string_view, Out>>& words) const {
    std::vector<std::string_view> names;
    for (const auto& [word, value] : words) names.push_back(word);
    const QuantityForm form = QuantityOf(key, names);
    return Read(key, out, form.expected, [&](std::string_view text) -> Result<Out> {
      for (const auto& [word, value] : words) {
        if (text == word) return value;
      }
      Result<Quantity> quantity = form.Parse(text);
      if (!quantity) return std::move(quantity).error();
      return As<Out>(quantity.value());
    });
  }

  // Reads one word of a fixed set.
  template <typename Out>
  bool Choose(std::string_view key, Out& out,
              const std::vector<std::pair<std::string_view, Out>>& choices) const {
    std::vector<std::string_view> words;
    for (const auto& [word, value] : choices) words.push_back(word);
    CheckWords(key, words);
    std::size_t chosen = 0;
    if (!Read(key, chosen, ListWords(words),
              [&](std::string_view text) { return PickWord(text, words); })) {
      return false;
    }
    out = choices[chosen].second;
    return true;
  }

  template <typename Out>
  bool Require(std::string_view key, Out& out) const {
    if (!Has(key)) FailMissing(key, "give " + QuantityOf(key, {}).expected);
    return Read(key, out);
  }

  // The one key of `keys` that is present. Otherwise an error; returns the first present key, if
  // any.
  std::optional<std::string_view> ExactlyOne(std::initializer_list<std::string_view> keys,
                                             std::string_view remedy) const;

  std::vector<Place> Items(std::string_view key, std::string_view expected) const;
  Section Child(std::string_view key, std::string_view keys) const {
    return Section(At(key), keys, *errors_);
  }

  static std::string ListWords(const std::vector<std::string_view>& words);  // "a, b or c"

 private:
  struct QuantityForm {
    const Shape* shape;
    std::string or_words;  // ", or auto or none"
    std::string expected;
    Result<Quantity> Parse(std::string_view text) const;
  };

  template <typename Out>
  static Out As(const Quantity& quantity) {
    return std::visit(
        [](const auto& value) -> Out {
          using Value = std::decay_t<decltype(value)>;
          constexpr bool kSameKind =
              std::is_same_v<Value, Duration> || std::is_same_v<Value, bool>
                  ? std::is_convertible_v<Value, Out> &&
                        (std::is_same_v<Value, bool> == std::is_same_v<Out, bool>)
                  : std::is_arithmetic_v<Out> && !std::is_same_v<Out, bool> &&
                        (std::is_floating_point_v<Value> == std::is_floating_point_v<Out>);
          if constexpr (kSameKind) return static_cast<Out>(value);
          SASH_CHECK(false);  // the type differs from the table
          return Out{};
        },
        quantity);
  }

  QuantityForm QuantityOf(std::string_view key, const std::vector<std::string_view>& words) const;
  void CheckWords(std::string_view key, const std::vector<std::string_view>& words) const;
  const KeySpec& Spec(std::string_view key) const;
  const YamlEntry* Entry(std::string_view key) const;
  const YamlNode* Find(std::string_view key) const;
  static Result<std::size_t> PickWord(std::string_view text,
                                      const std::vector<std::string_view>& words);
  void RefuseUnknownKeys() const;

  Place place_;
  const SectionSpec* section_;
  ErrorList* errors_;
  bool wrong_type_ = false;
};

// The message without the resolved value of `node`.
std::string WithoutSecret(const YamlNode& node, std::string message);

template <typename Out, typename Parse>
bool ReadAt(const Place& place, Out& out, std::string_view expected, Parse parse,
            ErrorList& errors) {
  const YamlNode* const node = ScalarAt(place, expected, errors);
  if (node == nullptr) return false;
  auto parsed = parse(std::string_view(node->text));
  if (!parsed) {
    errors.Add(place, WithoutSecret(*node, parsed.error().message));
    return false;
  }
  out = static_cast<Out>(std::move(parsed).value());
  return true;
}

}  // namespace sash
