// JsonFields: the fields of the record that its scanner has found, as the selected edge of the
// mapping, and the selected element of the record, have them.
//
// Thread safety: belongs to one thread.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "connectors/codec/decoder.h"
#include "connectors/codec/edge_fields.h"
#include "connectors/codec/filter/filter_value.h"
#include "connectors/codec/json_plan.h"
#include "connectors/codec/json_scanner.h"
#include "connectors/codec/null_words.h"

namespace sash {

class JsonFields {
 public:
  // Takes edges, pointers and the array out of the plan. `nulls`: FormatSpec::nulls.
  JsonFields(JsonPlan& plan, const std::vector<std::string>& nulls);

  JsonScanner& scanner() { return scanner_; }
  const JsonEdge& edge() const { return *edge_; }  // the selected one

  // The elements of `each`; `count` is not changed without it.
  std::optional<Refused> CountElements(std::size_t& count) const {
    if (!array_) return std::nullopt;
    const JsonElement* const found = scanner_.Find(JsonScanner::kEach);
    const bool is_array = found != nullptr && found->kind == JsonElement::Kind::kArray;
    if (!is_array || scanner_.has_too_many_elements()) return WhyNoElements(found);
    count = scanner_.elements();
    return std::nullopt;
  }
  void SelectElement(std::size_t element) {
    if (array_) scanner_.SelectElement(element);
  }
  void SelectEdge(std::size_t edge) { edge_ = &edges_[edge]; }
  // For messages. Empty if the record gives one edge.
  std::string NameOf(std::size_t element, std::size_t edge) const;

  std::size_t NumberOf(MappedField field) const {
    return edge_->numbers[static_cast<std::size_t>(field)];
  }
  const JsonElement* Found(MappedField field) const {
    const std::size_t number = NumberOf(field);
    return number == kUnmapped ? nullptr : scanner_.Find(number);
  }
  // Null also when its text is among the nulls.
  [[gnu::always_inline]] const JsonElement* Element(MappedField field) {
    const JsonElement* const element = Found(field);
    return nulls_.empty() || element == nullptr || !IsNull(field, *element) ? element : nullptr;
  }
  [[gnu::noinline]] bool IsNull(MappedField field, const JsonElement& element);

  // The text of a string, with its escapes decoded.
  std::string_view TextOf(MappedField field, const JsonElement& string) {
    if (!string.has_escapes) return string.text;
    std::string& unescaped = unescaped_[NumberOf(field)];
    JsonScanner::Unescape(string.text, unescaped);
    return unescaped;
  }

  // The value of a field that filters ask for, by its number among these fields.
  FilterValue ValueOf(std::size_t number) {
    number += first_asked_;
    const JsonElement* const element = scanner_.Find(number);
    if (element == nullptr) return FilterValue::Null();
    switch (element->kind) {
      case JsonElement::Kind::kString: {
        std::string_view text = element->text;
        if (element->has_escapes) {
          std::string& unescaped = unescaped_[number];
          JsonScanner::Unescape(text, unescaped);
          text = unescaped;
        }
        return nulls_.Holds(text) ? FilterValue::Null() : FilterValue::Text(text);
      }
      case JsonElement::Kind::kInteger:
      case JsonElement::Kind::kReal:
        if (nulls_.Holds(element->text)) return FilterValue::Null();
        if (element->kind == JsonElement::Kind::kReal || !element->is_short) {
          return FilterValue::Numeral(element->text);
        }
        return FilterValue::Integer(element->integer);
      case JsonElement::Kind::kBoolean:
        return FilterValue::Bool(element->is_true);
      case JsonElement::Kind::kObject:
        return FilterValue::Of(FilterValue::Kind::kObject);
      case JsonElement::Kind::kArray:
      case JsonElement::Kind::kBytes:
        break;
    }
    return FilterValue::Of(FilterValue::Kind::kArray);
  }

  const std::string& Label(MappedField field) const {
    return edge_->labels[static_cast<std::size_t>(field)];
  }
  [[gnu::cold]] Refused Missing(MappedField field);
  [[gnu::cold]] Refused Empty(MappedField field) const;  // of a key
  // `right`: what the field should be.
  [[gnu::cold]] Refused WrongType(MappedField field, const JsonElement& element,
                                  std::string_view right) const;

 private:
  [[gnu::cold]] Refused WhyNoElements(const JsonElement* found) const;
  [[gnu::cold]] std::string WhyMissing(MappedField field) const;

  const std::vector<JsonEdge> edges_;
  const JsonEdge* edge_;
  const std::optional<std::string> array_;
  const std::size_t first_asked_;
  const NullWords nulls_;
  JsonScanner scanner_;
  std::array<std::string, JsonScanner::kMostPointers> unescaped_;  // of strings with escapes
};

}  // namespace sash
