#include "daemon/config/mapped_field_forms.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "daemon/config/label_field_forms.h"
#include "daemon/config/scalar_text.h"
#include "daemon/config/text_shapes.h"
#include "daemon/config/word_list_form.h"
#include "daemon/config/yaml_printer.h"
#include "windows/base/utf8.h"

namespace sash {

Result<std::string> ParseTypeWord(std::string_view text) {
  if (text.empty()) return Wrong("is empty; give a word, or leave it out");
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20; };
  if (std::ranges::any_of(text, is_control)) return Wrong("has a line break or another control");
  if (text.size() <= kMostTypeBytes) return std::string(text);
  return Wrong(fmt::format("has {} bytes; a type has at most {}", text.size(), kMostTypeBytes));
}

namespace {

constexpr std::string_view kGroupText = "one character, in quotes, such as \",\" or \"'\"";

// One character of UTF-8 that cannot be part of a number otherwise.
Result<std::string> ParseGroup(std::string_view text) {
  const bool one = CountCharacters(text) == 1;
  constexpr std::string_view kTaken = "0123456789+-eE\r\n";
  if (!one || kTaken.find(text.front()) != std::string_view::npos) {
    return Wrong(fmt::format("`{}` cannot separate groups of digits; give {}", text, kGroupText));
  }
  return std::string(text);
}

Result<std::string> ParsePrefix(std::string_view text) {
  constexpr std::size_t kLongest = 100;
  if (text.size() > kLongest) {
    return Wrong(fmt::format("has {} bytes; a prefix has at most {}", text.size(), kLongest));
  }
  return std::string(text);
}

const OneOf<LetterCase>& CaseForm() {
  static const OneOf<LetterCase> form{{"keep", LetterCase::kAsWritten},
                                      {"lower", LetterCase::kLower},
                                      {"upper", LetterCase::kUpper}};
  return form;
}
const OneOf<InvalidWeight>& InvalidForm() {
  static const OneOf<InvalidWeight> form{{"refuse", InvalidWeight::kRefuse},
                                         {"one", InvalidWeight::kOne},
                                         {"zero", InvalidWeight::kZero}};
  return form;
}

struct DecimalForm : OneOf<char> {
  DecimalForm() : OneOf<char>{{".", '.'}, {",", ','}} {}
};

template <typename Value>
std::string_view WordOf(const OneOf<Value>& form, Value value) {
  const auto found =
      std::ranges::find(form.choices, value, &std::pair<std::string_view, Value>::second);
  return found->first;
}

}  // namespace

const KeyRows<KeySpelling>& KeySpellingRows() {
  using Key = KeyRow<KeySpelling>;
  static const KeyRows<KeySpelling> rows = {
      Key("prefix", &KeySpelling::prefix,
          TextForm{{R"(^[\s\S]{0,100}(?![\s\S]))", kAnything, "up to 100 characters"},
                   "the text before the key, in quotes,",
                   ParsePrefix},
          "The text that is put before the key, for example to tell accounts from cards. In a key "
          "only with keys: string.")
          .Range("at most 100 characters"),
      Key("case", &KeySpelling::letters, CaseForm(),
          "The case into which letters of each field are put: lower, upper, or keep (as they are). "
          "One letter becomes one letter, as Unicode has it. In a key only with keys: string.")
          .Default("keep"),
      Key("trim", &KeySpelling::trim, Flag{},
          "Whether blanks, tabs and line breaks at both ends of each field are left out. A key of "
          "which nothing else is left is refused; such a type or id is absent.")
          .Default("false"),
  };
  return rows;
}

const KeyRows<WeightSpelling>& WeightSpellingRows() {
  using Key = KeyRow<WeightSpelling>;
  static const KeyRows<WeightSpelling> rows = {
      Key("decimal", &WeightSpelling::decimal, DecimalForm(),
          "The character before the fraction of a weight that is a text.")
          .Default("\".\"")
          .Range("\".\" or \",\""),
      Key("group", &WeightSpelling::group,
          TextForm{{R"(^[^0-9+\-eE\r\n]$)", kNothing, "one character"}, kGroupText, ParseGroup},
          "The character between groups of digits of a weight that is a text, as in 1,234,567.80. "
          "Without it there are no groups. The last group has three digits.")
          .Range("one character that is not a digit, a sign or an e"),
      Key("invalid", &WeightSpelling::invalid, InvalidForm(),
          "What happens with a record whose weight is not a number. refuse: it goes to dead "
          "letters; one, zero: its edge weighs 1 or 0, and is counted "
          "(sash_source_incidents_total, kind replaced_weights). An empty weight is 1.")
          .Default("refuse"),
  };
  return rows;
}

const KeyRows<OperationWords>& OperationWordsRows() {
  using Key = KeyRow<OperationWords>;
  static const KeyRows<OperationWords> rows = {
      Key("add", &OperationWords::add, WordListForm{},
          "The texts that mean add. An empty text means it too. If any words are given, a record "
          "with another text is refused.")
          .Default("none")
          .Range("any texts, each once"),
      Key("remove", &OperationWords::remove, WordListForm{}, "The texts that mean remove.")
          .Default("none")
          .Range("any texts, each once"),
      Key("remove_vertex", &OperationWords::remove_vertex, WordListForm{},
          "The texts that mean remove_vertex.")
          .Default("none")
          .Range("any texts, each once"),
      Key("skip", &OperationWords::skip, WordListForm{},
          "The texts of records that are left out, like those that `where` filters.")
          .Default("none")
          .Range("any texts, each once"),
  };
  return rows;
}

void CheckWeightSpelling(const Section& weight, const WeightSpelling& text) {
  if (text.group.size() == 1 && text.group.front() == text.decimal) {
    weight.Fail("group", fmt::format("is the decimal character too (`decimal: \"{}\"`); give "
                                     "different characters",
                                     text.decimal));
  }
}

void CheckOperationWords(const Section& operation, const OperationWords& words) {
  if (words.empty()) {
    if (!operation.Has("from")) return;  // already an error
    return operation.Fail("from",
                          "comes without words; give them, such as add: [c], remove: [d], or give "
                          "the field alone");
  }
  std::vector<std::string> seen;
  for (const auto& [key, list] :
       {std::pair("add", &words.add), std::pair("remove", &words.remove),
        std::pair("remove_vertex", &words.remove_vertex), std::pair("skip", &words.skip)}) {
    for (const std::string& word : *list) {
      if (std::ranges::find(seen, word) != seen.end()) {
        operation.Fail(key, fmt::format("`{}` has another meaning already; keep one", word));
      }
      seen.push_back(word);
    }
  }
}

std::string MoreText(const KeySpelling& text) {
  std::string more;
  if (!text.prefix.empty()) more += ", prefix: " + Quote(text.prefix);
  if (text.letters != LetterCase::kAsWritten) {
    more += fmt::format(", case: {}", WordOf(CaseForm(), text.letters));
  }
  if (text.trim) more += ", trim: true";
  return more;
}

std::string MoreText(const WeightSpelling& text) {
  std::string more;
  if (text.decimal != '.') more += fmt::format(", decimal: \"{}\"", text.decimal);
  if (!text.group.empty()) more += ", group: " + Quote(text.group);
  if (text.invalid != InvalidWeight::kRefuse) {
    more += fmt::format(", invalid: {}", WordOf(InvalidForm(), text.invalid));
  }
  return more;
}

std::string MoreText(const OperationWords& words) {
  std::string more;
  if (!words.add.empty()) more += ", add: " + QuoteAll(words.add);
  if (!words.remove.empty()) more += ", remove: " + QuoteAll(words.remove);
  if (!words.remove_vertex.empty()) more += ", remove_vertex: " + QuoteAll(words.remove_vertex);
  if (!words.skip.empty()) more += ", skip: " + QuoteAll(words.skip);
  return more;
}

std::vector<SectionSpec> MappedFieldSections(std::string_view key, std::string_view weight,
                                             std::string_view operation,
                                             const std::vector<Shape>& field, const Text& item) {
  std::vector<SectionSpec> sections = {SectionFrom(key, KeySpellingRows()),
                                       SectionFrom(weight, WeightSpellingRows()),
                                       SectionFrom(operation, OperationWordsRows())};
  const std::vector<KeySpec> list = FieldListKeys(field, item);
  sections[0].keys.insert(sections[0].keys.begin(), list.begin(), list.end());
  for (std::size_t i = 1; i < sections.size(); ++i) {
    sections[i].keys.insert(sections[i].keys.begin(), KeySpec{.name = "from",
                                                              .shapes = field,
                                                              .about = "The field.",
                                                              .presence = kRequired,
                                                              .range_text = "a field"});
  }
  return sections;
}

}  // namespace sash
