#include "connectors/codec/json_decoder.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <array>
#include <bit>
#include <utility>

#include "connectors/codec/edge_fields.h"
#include "connectors/codec/json_pointer.h"
#include "connectors/codec/time_text.h"
#include "connectors/codec/wide_numbers.h"

namespace sash {
namespace {

namespace dom = simdjson::dom;
using Type = dom::element_type;

constexpr FieldSet Bit(MappedField field) { return FieldSet{1} << static_cast<std::size_t>(field); }

std::string_view TypeName(Type type) {
  switch (type) {
    case Type::ARRAY:
      return "an array";
    case Type::OBJECT:
      return "an object";
    case Type::INT64:
    case Type::UINT64:
      return "an integer";
    case Type::DOUBLE:
      return "a number with a fraction or an exponent";
    case Type::STRING:
      return "a string";
    case Type::BOOL:
      return "a boolean";
    case Type::NULL_VALUE:
      return "null";
  }
  return "something else";
}

class JsonDecoder final : public Decoder {
 public:
  JsonDecoder(const FormatSpec& format, PointerNode pointers,
              std::array<std::string, kMappedFields> labels)
      : keys_(format.keys),
        time_from_field_(format.time_origin == TimeOrigin::kField),
        time_unit_(format.time_unit),
        pointers_(std::move(pointers)),
        labels_(std::move(labels)) {}

  std::optional<Refused> Decode(std::string_view record, const RecordPlace& place,
                                EventBatch& batch) override {
    EdgeFields fields;
    if (auto refused = Find(record)) return refused;
    if (auto refused = ReadOperation(fields.operation)) return refused;
    if (auto refused = ReadKeysAndTime(place, fields)) return refused;
    if (auto refused = ReadWeight(fields.weight)) return refused;
    AppendEvent(fields, keys_, record, place, batch);
    return std::nullopt;
  }

  std::optional<Refused> DecodeTombstone(std::string_view key, const RecordPlace& place,
                                         EventBatch& batch) override {
    EdgeFields fields;
    fields.operation = Operation::kRemove;
    if (auto refused = Find(key)) return refused;
    if (auto refused = ReadKeysAndTime(place, fields)) return refused;
    AppendEvent(fields, keys_, key, place, batch);
    return std::nullopt;
  }

 private:
  // Parses the record and leaves the mapped elements in elements_ and found_.
  std::optional<Refused> Find(std::string_view record) {
    if (auto refused = RefusedForSize(record.size())) return refused;
    stand_in_.reset();
    dom::element root;
    auto error = parser_.parse(record.data(), record.size(), true).get(root);
    if (error == simdjson::NUMBER_ERROR) {
      stand_in_ = ReplaceWideNumbers(record, rewritten_);
      if (stand_in_) error = parser_.parse(rewritten_.data(), rewritten_.size(), true).get(root);
    }
    if (error != simdjson::SUCCESS) {
      if (!simdjson::validate_utf8(record.data(), record.size())) {
        return Refused{RefusalReason::kInvalidUtf8, "the record is not UTF-8"};
      }
      return Refused{RefusalReason::kInvalidSyntax, SyntaxDetail(error)};
    }
    found_ = 0;
    Resolve(pointers_, root);
    return std::nullopt;
  }

  static std::string SyntaxDetail(simdjson::error_code error) {
    if (error == simdjson::EMPTY) return "the record is empty, not JSON";
    return fmt::format("the record is not JSON: {}", simdjson::error_message(error));
  }

  void Resolve(const PointerNode& node, dom::element at) {
    if (node.here != 0 && !at.is_null()) {
      found_ |= node.here;
      for (FieldSet rest = node.here; rest != 0; rest &= rest - 1) {
        elements_[static_cast<std::size_t>(std::countr_zero(rest))] = at;
      }
    }
    if (node.children.empty()) return;
    dom::object object;
    dom::array array;
    if (at.get(object) == simdjson::SUCCESS) {
      for (const auto [name, value] : object) {
        for (const PointerNode& child : node.children) {
          if (child.name != name) continue;
          found_ &= ~child.below;  // of an earlier member of the same name
          Resolve(child, value);
          break;
        }
      }
    } else if (at.get(array) == simdjson::SUCCESS) {
      for (const PointerNode& child : node.children) {
        dom::element value;
        if (child.index && array.at(*child.index).get(value) == simdjson::SUCCESS) {
          Resolve(child, value);
        }
      }
    }
  }

  const dom::element* Element(MappedField field) const {
    return (found_ & Bit(field)) != 0 ? &elements_[static_cast<std::size_t>(field)] : nullptr;
  }
  const std::string& Label(MappedField field) const {
    return labels_[static_cast<std::size_t>(field)];
  }
  bool IsWide(const dom::element& element) const {
    return stand_in_ && element.type() == Type::INT64 &&
           std::int64_t(element.get_int64().value_unsafe()) == *stand_in_;
  }

  Refused Missing(MappedField field) const {
    return {RefusalReason::kMissingField, fmt::format("{} is missing or null", Label(field))};
  }
  Refused WrongType(MappedField field, const dom::element& element, std::string_view right) const {
    const std::string_view type = IsWide(element) ? "a number" : TypeName(element.type());
    return {RefusalReason::kWrongType, fmt::format("{} is {}; {}", Label(field), type, right)};
  }

  std::optional<Refused> ReadKeysAndTime(const RecordPlace& place, EdgeFields& fields) const {
    if (auto refused = ReadKey(MappedField::kSource, fields.source)) return refused;
    if (fields.operation != Operation::kRemoveVertex) {
      if (auto refused = ReadKey(MappedField::kTarget, fields.target)) return refused;
    }
    fields.time = place.time;
    return time_from_field_ ? ReadTime(fields.time) : std::nullopt;
  }

  std::optional<Refused> ReadKey(MappedField field, DecodedKey& key) const {
    const dom::element* element = Element(field);
    if (element == nullptr) return Missing(field);
    if (keys_ == KeyKind::kInteger) return ReadIntegerKey(field, *element, key);
    if (element->get(key.text) != simdjson::SUCCESS) {
      const bool number = element->is_number();
      return WrongType(
          field, *element,
          number ? "keys must be strings (for numbers: keys: integer)" : "keys must be strings");
    }
    if (key.text.empty()) {
      return Refused{RefusalReason::kEmptyKey, fmt::format("{} is empty", Label(field))};
    }
    return std::nullopt;
  }

  std::optional<Refused> ReadIntegerKey(MappedField field, const dom::element& element,
                                        DecodedKey& key) const {
    if (!element.is_number()) {
      return WrongType(field, element, "with keys: integer, keys must be JSON integers");
    }
    if (IsWide(element) || element.get(key.integer) != simdjson::SUCCESS ||
        element.type() == Type::DOUBLE) {
      return Refused{RefusalReason::kInvalidKey,
                     fmt::format("{} is not a 64-bit integer", Label(field))};
    }
    return std::nullopt;
  }

  std::optional<Refused> ReadOperation(Operation& operation) const {
    const dom::element* element = Element(MappedField::kOperation);
    if (element == nullptr) return std::nullopt;
    std::string_view text;
    if (element->get(text) != simdjson::SUCCESS) {
      return WrongType(MappedField::kOperation, *element, "operations are strings");
    }
    const auto parsed = ParseOperation(text);
    if (!parsed) {
      return Refused{RefusalReason::kUnknownOperation,
                     fmt::format("{} is {}; it must be add, remove or remove_vertex",
                                 Label(MappedField::kOperation), Excerpt(text))};
    }
    operation = *parsed;
    return std::nullopt;
  }

  std::optional<Refused> ReadWeight(Weight& weight) const {
    const dom::element* element = Element(MappedField::kWeight);
    if (element == nullptr) return std::nullopt;
    if (!element->is_number()) {
      return WrongType(MappedField::kWeight, *element, "weights are JSON numbers");
    }
    if (IsWide(*element) || element->type() == Type::UINT64) {
      return Refused{RefusalReason::kInvalidWeight,
                     fmt::format("{} fits neither a 64-bit integer nor, with a point, a double",
                                 Label(MappedField::kWeight))};
    }
    weight = element->type() == Type::INT64 ? Weight::Integer(element->get_int64().value_unsafe())
                                            : Weight::Real(element->get_double().value_unsafe());
    return std::nullopt;
  }

  std::optional<Refused> ReadTime(EventTime& time) const {
    const dom::element* element = Element(MappedField::kTime);
    if (element == nullptr) return Missing(MappedField::kTime);
    std::string_view text;
    if (time_unit_ == TimeUnit::kRfc3339) {
      if (element->get(text) != simdjson::SUCCESS) {
        return WrongType(
            MappedField::kTime, *element,
            "with unit: rfc3339 times are strings (for numbers: unit: s, ms, us or ns)");
      }
      if (text.empty()) return Missing(MappedField::kTime);
      return TakeTime(ParseRfc3339(text), Excerpt(text), time);
    }
    if (!element->is_number()) {
      return WrongType(MappedField::kTime, *element,
                       "times are JSON numbers (for strings: unit: rfc3339)");
    }
    if (IsWide(*element) || element->type() == Type::UINT64) {
      return Refused{RefusalReason::kInvalidTime,
                     fmt::format("{} does not fit a 64-bit integer", Label(MappedField::kTime))};
    }
    if (element->type() == Type::INT64) {
      const std::int64_t value = element->get_int64().value_unsafe();
      return TakeTime(TimeFromInteger(value, time_unit_), value, time);
    }
    const double value = element->get_double().value_unsafe();
    return TakeTime(TimeFromReal(value, time_unit_), value, time);
  }

  template <typename Found>
  std::optional<Refused> TakeTime(const Result<EventTime>& parsed, const Found& found,
                                  EventTime& time) const {
    if (!parsed.ok()) {
      return Refused{
          RefusalReason::kInvalidTime,
          fmt::format("{}: {} {}", Label(MappedField::kTime), found, parsed.error().message)};
    }
    time = parsed.value();
    return std::nullopt;
  }

  const KeyKind keys_;
  const bool time_from_field_;
  const TimeUnit time_unit_;
  const PointerNode pointers_;
  const std::array<std::string, kMappedFields> labels_;

  dom::parser parser_;
  std::string rewritten_;                 // the record with stand-ins
  std::optional<std::int64_t> stand_in_;  // for what wide numbers stand in this record
  std::array<dom::element, kMappedFields> elements_;
  FieldSet found_ = 0;  // which of elements_ this record has
};

}  // namespace

Result<std::unique_ptr<Decoder>> MakeJsonDecoder(const FormatSpec& format,
                                                 const JsonMapping& mapping) {
  PointerNode root;
  std::array<std::string, kMappedFields> labels;
  const auto add = [&](MappedField field, const std::string& pointer) -> Status {
    const auto number = static_cast<std::size_t>(field);
    labels[number] = fmt::format("{} {}", Name(field), pointer.empty() ? "\"\"" : pointer);
    Status added = AddPointer(pointer, number, root);
    if (!added.ok()) return std::move(added).error().Within(Name(field));
    return added;
  };
  Status added = add(MappedField::kSource, mapping.source);
  if (added.ok()) added = add(MappedField::kTarget, mapping.target);
  if (added.ok() && mapping.weight) added = add(MappedField::kWeight, *mapping.weight);
  if (added.ok() && mapping.time) added = add(MappedField::kTime, *mapping.time);
  if (added.ok() && mapping.operation) added = add(MappedField::kOperation, *mapping.operation);
  if (!added.ok()) return std::move(added).error();
  return std::unique_ptr<Decoder>(
      std::make_unique<JsonDecoder>(format, std::move(root), std::move(labels)));
}

}  // namespace sash
