#include "connectors/codec/json_fields.h"

#include <fmt/format.h>

#include <utility>

#include "connectors/codec/json_value.h"

namespace sash {
namespace {

using Kind = JsonElement::Kind;

JsonScanner ScannerOf(JsonPlan& plan) {
  if (!plan.array) return JsonScanner(std::move(plan.of_record));
  return JsonScanner(std::move(plan.of_record), std::move(plan.each));
}

}  // namespace

JsonFields::JsonFields(JsonPlan& plan, const std::vector<std::string>& nulls)
    : edges_(std::move(plan.edges)),
      edge_(edges_.data()),
      array_(plan.array),
      first_asked_(plan.first_asked),
      nulls_(nulls),
      scanner_(ScannerOf(plan)) {}

Refused JsonFields::WhyNoElements(const JsonElement* found) const {
  const std::string name = array_->empty() ? "\"\"" : *array_;
  if (found == nullptr) {
    return {RefusalReason::kMissingField,
            fmt::format("each {} is missing or null{}", name, kWhenAbsent)};
  }
  if (found->kind == Kind::kArray) return RefusedForEdges();
  return {RefusalReason::kWrongType,
          fmt::format("each {} is {}; it must be an array", name, TypeName(*found))};
}

std::string JsonFields::NameOf(std::size_t element, std::size_t edge) const {
  std::string name;
  if (array_) name = fmt::format("element {}/{}", *array_, element);
  if (edges_.size() > 1) name += fmt::format("{}edges[{}]", name.empty() ? "" : ", ", edge);
  return name.empty() ? name : name + ": ";
}

bool JsonFields::IsNull(MappedField field, const JsonElement& element) {
  if (element.kind == Kind::kString) return nulls_.Holds(TextOf(field, element));
  return IsNumber(element) && nulls_.Holds(element.text);
}

Refused JsonFields::Missing(MappedField field) {
  const JsonElement* const element = Found(field);
  if (element != nullptr && IsNull(field, *element)) {
    const std::string_view text =
        element->kind == Kind::kString ? TextOf(field, *element) : element->text;
    return {RefusalReason::kMissingField,
            fmt::format("{}: {} {}", Label(field), Excerpt(text), NullWords::kWhy)};
  }
  return {RefusalReason::kMissingField, WhyMissing(field)};
}

// If the record is not an object, its pointers find nothing.
std::string JsonFields::WhyMissing(MappedField field) const {
  const std::string missing = Label(field) + " is missing or null";
  const bool is_of_record = Label(field).find(" /") != std::string::npos;
  if (array_ || !is_of_record || scanner_.first() == '{' || scanner_.first() == 0) {
    return missing + std::string(kWhenAbsent);
  }
  return missing +
         (scanner_.first() == '['
              ? ", because the record is an array; `each: \"\"` gives an edge for each element"
              : ", because the record is neither an object nor an array");
}

Refused JsonFields::Empty(MappedField field) const {
  return {RefusalReason::kEmptyKey, fmt::format("{} is empty{}", Label(field), kWhenAbsent)};
}

Refused JsonFields::WrongType(MappedField field, const JsonElement& element,
                              std::string_view right) const {
  const bool has_text = IsNumber(element) && !element.text.empty();
  return {RefusalReason::kWrongType,
          fmt::format("{} is {}{}; {}", Label(field), TypeName(element),
                      has_text ? fmt::format(" ({})", Excerpt(element.text)) : "", right)};
}

}  // namespace sash
