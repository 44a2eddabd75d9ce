#include "daemon/config/yaml_section.h"

#include <fmt/format.h>

#include <algorithm>

#include "daemon/config/known_keys.h"
#include "daemon/config/nearest_key.h"
#include "daemon/config/scalar_text.h"

namespace sash {
namespace {

std::string_view KindOf(const YamlNode& node) {
  switch (node.kind) {
    case YamlNode::Kind::kEmpty:
      return "nothing";
    case YamlNode::Kind::kScalar:
      return "a single value";
    case YamlNode::Kind::kList:
      return "a list";
    case YamlNode::Kind::kMapping:
      return "a mapping";
    case YamlNode::Kind::kBroken:
      return "a broken value";
  }
  return "something else";
}

void FailType(const Place& place, std::string_view expected, ErrorList& errors) {
  errors.Add(place, fmt::format("expected {}, found {}", expected, KindOf(*place.node)));
}

}  // namespace

std::string WithoutSecret(const YamlNode& node, std::string message) {
  if (node.written.empty() || node.text.empty()) return message;
  for (std::size_t at = message.find(node.text); at != std::string::npos;
       at = message.find(node.text, at + node.written.size())) {
    message.replace(at, node.text.size(), node.written);
  }
  return message;
}

const YamlNode* ScalarAt(const Place& place, std::string_view expected, ErrorList& errors) {
  switch (place.node->kind) {
    case YamlNode::Kind::kScalar:
      return place.node;
    case YamlNode::Kind::kBroken:
      return nullptr;
    case YamlNode::Kind::kEmpty:
      errors.Add(place, fmt::format("is empty; give {} or remove it", expected));
      return nullptr;
    default:
      FailType(place, expected, errors);
      return nullptr;
  }
}

std::vector<Place> ItemsAt(const Place& place, std::string_view expected, ErrorList& errors) {
  std::vector<Place> items;
  switch (place.node->kind) {
    case YamlNode::Kind::kEmpty:
    case YamlNode::Kind::kBroken:
      break;
    case YamlNode::Kind::kList:
      for (const YamlNode& item : place.node->items) {
        items.push_back({&item, item.line, JoinIndex(place.path, items.size())});
      }
      break;
    default:
      FailType(place, expected, errors);
  }
  return items;
}

std::vector<NamedPlace> EntriesAt(const Place& place, std::string_view expected,
                                  ErrorList& errors) {
  std::vector<NamedPlace> entries;
  switch (place.node->kind) {
    case YamlNode::Kind::kEmpty:
    case YamlNode::Kind::kBroken:
      break;
    case YamlNode::Kind::kMapping:
      for (const YamlEntry& entry : place.node->entries) {
        entries.push_back({entry.key, {&entry.value, entry.line, JoinKey(place.path, entry.key)}});
      }
      break;
    default:
      FailType(place, expected, errors);
  }
  return entries;
}

Section::Section(Place place, std::string_view keys, ErrorList& errors)
    : place_(std::move(place)), section_(&SectionOf(keys)), errors_(&errors) {
  switch (place_.node->kind) {
    case YamlNode::Kind::kEmpty:
      break;
    case YamlNode::Kind::kMapping:
      RefuseUnknownKeys();
      break;
    case YamlNode::Kind::kBroken:
      wrong_type_ = true;
      break;
    default: {
      wrong_type_ = true;
      const auto known = KeysOf(*section_);
      FailType(place_,
               known.empty() ? std::string("an empty mapping: {}")
                             : fmt::format("a mapping with keys of {}", WithCommas(known)),
               errors);
    }
  }
}

void Section::RefuseUnknownKeys() const {
  constexpr std::size_t kMostTold = 10;  // leaves room for errors of other sections
  const auto known = KeysOf(*section_);
  std::size_t unknown = 0;
  int line = 1;  // of the first key that is not listed
  for (const YamlEntry& entry : place_.node->entries) {
    if (std::ranges::find(known, entry.key) != known.end()) continue;
    if (unknown == kMostTold) line = entry.line;
    if (++unknown > kMostTold) continue;
    std::string message = "unknown key";
    if (entry.key == "<<") {
      message += "; merge keys are not supported, write the keys out";
    } else {
      message += Suggestion(entry.key, known);
    }
    message += known.empty() ? " (no keys are known here)"
                             : fmt::format(" (known here: {})", WithCommas(known));
    errors_->Add(entry.line, JoinKey(place_.path, entry.key), std::move(message));
  }
  if (unknown <= kMostTold) return;
  errors_->Add(line, place_.path,
               fmt::format("from here on there are {} more unknown keys", unknown - kMostTold));
}

const KeySpec& Section::Spec(std::string_view key) const {
  const KeySpec* const spec = FindKey(*section_, key);
  SASH_CHECK(spec != nullptr);
  return *spec;
}

// Checks that `words` are those of the table, in its order.
void Section::CheckWords(std::string_view key, const std::vector<std::string_view>& words) const {
  for (const Shape& shape : Spec(key).shapes) {
    if (const auto* allowed = std::get_if<Words>(&shape)) {
      SASH_CHECK(words == allowed->words);
      return;
    }
  }
  SASH_CHECK(words.empty());
}

Section::QuantityForm Section::QuantityOf(std::string_view key,
                                          const std::vector<std::string_view>& words) const {
  CheckWords(key, words);
  const auto& shapes = Spec(key).shapes;
  const auto quantity = std::ranges::find_if(
      shapes, [](const Shape& shape) { return !std::holds_alternative<Words>(shape); });
  SASH_CHECK(quantity != shapes.end());
  const std::string or_words = words.empty() ? "" : ", or " + ListWords(words);
  return {&*quantity, or_words, Expected(*quantity) + or_words};
}

Result<Quantity> Section::QuantityForm::Parse(std::string_view text) const {
  Result<Quantity> quantity = ParseQuantity(*shape, text);
  if (!quantity) return Wrong(quantity.error().message + or_words);
  return quantity;
}

const YamlEntry* Section::Entry(std::string_view key) const {
  static_cast<void>(Spec(key));
  const auto found = std::ranges::find(place_.node->entries, key, &YamlEntry::key);
  return found == place_.node->entries.end() ? nullptr : &*found;
}

const YamlNode* Section::Find(std::string_view key) const {
  const YamlEntry* const entry = Entry(key);
  return entry == nullptr ? nullptr : &entry->value;
}

int Section::LineOf(std::string_view key) const {
  const YamlEntry* const entry = Entry(key);
  return entry == nullptr ? place_.line : entry->line;
}

Place Section::At(std::string_view key) const {
  return {Find(key), LineOf(key), JoinKey(place_.path, key)};
}

void Section::Fail(std::string_view key, std::string message) const {
  errors_->Add(LineOf(key), JoinKey(place_.path, key), std::move(message));
}

void Section::FailMissing(std::string_view key, std::string_view remedy) const {
  SASH_CHECK(Spec(key).presence != Presence::kOptional);
  if (!wrong_type_) Fail(key, fmt::format("is required: {}", remedy));
}

std::optional<std::string_view> Section::ExactlyOne(std::initializer_list<std::string_view> keys,
                                                    std::string_view remedy) const {
  SASH_CHECK(std::ranges::equal(keys, section_->exactly_one));
  std::optional<std::string_view> first;
  for (const std::string_view key : keys) {
    if (!Has(key)) continue;
    if (!first) {
      first = key;
      continue;
    }
    const bool later = LineOf(key) >= LineOf(*first);
    const std::string_view extra = later ? key : *first;
    if (!later) first = key;
    Fail(extra, fmt::format("is given together with `{}` ({}); give exactly one of {}", *first,
                            errors_->Where(LineOf(*first), LineOf(extra)), ListWords(keys)));
  }
  if (!first && !wrong_type_) {
    errors_->Add(place_, fmt::format("needs exactly one of {}: {}", ListWords(keys), remedy));
  }
  return first;
}

std::vector<Place> Section::Items(std::string_view key, std::string_view expected) const {
  if (!Has(key)) return {};
  return ItemsAt(At(key), expected, *errors_);
}

std::string Section::ListWords(const std::vector<std::string_view>& words) {
  std::string list;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) list += i + 1 == words.size() ? " or " : ", ";
    list += words[i];
  }
  return list;
}

Result<std::size_t> Section::PickWord(std::string_view text,
                                      const std::vector<std::string_view>& words) {
  const auto found = std::ranges::find(words, text);
  if (found != words.end()) return static_cast<std::size_t>(found - words.begin());
  return Wrong(
      fmt::format("must be {}, not `{}`{}", ListWords(words), text, Suggestion(text, words)));
}

}  // namespace sash
