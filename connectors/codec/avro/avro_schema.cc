#include "connectors/codec/avro/avro_schema.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <utility>

namespace sash {
namespace {

using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::object;

constexpr unsigned kMostSchemaDepth = 500;
constexpr std::int64_t kLargestFixed = 1 << 20;

Error BadSchema(std::string message) { return {ErrorCode::kInvalidArgument, std::move(message)}; }

constexpr std::array<std::pair<std::string_view, AvroType::Kind>, 8> kPrimitives = {{
    {"null", AvroType::Kind::kNull},
    {"boolean", AvroType::Kind::kBoolean},
    {"int", AvroType::Kind::kInt},
    {"long", AvroType::Kind::kLong},
    {"float", AvroType::Kind::kFloat},
    {"double", AvroType::Kind::kDouble},
    {"bytes", AvroType::Kind::kBytes},
    {"string", AvroType::Kind::kString},
}};

const AvroType::Kind* PrimitiveOf(std::string_view name) {
  const auto* const found =
      std::ranges::find(kPrimitives, name, &std::pair<std::string_view, AvroType::Kind>::first);
  return found == kPrimitives.end() ? nullptr : &found->second;
}

// Nothing when the member is missing or is not a string.
std::string_view TextMember(const object& json, std::string_view name) {
  std::string_view text;
  return json.at_key(name).get(text) == simdjson::SUCCESS ? text : std::string_view();
}

std::int64_t IntegerMember(const object& json, std::string_view name, std::int64_t otherwise) {
  std::int64_t value = 0;
  return json.at_key(name).get(value) == simdjson::SUCCESS ? value : otherwise;
}

// Sets the logical type if it fits.
void TakeLogical(const object& json, AvroType& type) {
  using Kind = AvroType::Kind;
  using Logical = AvroType::Logical;
  const std::string_view name = TextMember(json, "logicalType");
  if (name.empty()) return;
  if (name == "date" && type.kind == Kind::kInt) type.logical = Logical::kDate;
  if (type.kind == Kind::kLong) {
    if (name == "timestamp-millis") type.logical = Logical::kMilliseconds;
    if (name == "timestamp-micros") type.logical = Logical::kMicroseconds;
    if (name == "timestamp-nanos") type.logical = Logical::kNanoseconds;
  }
  const bool is_uuid = type.kind == Kind::kString || (type.kind == Kind::kFixed && type.size == 16);
  if (name == "uuid" && is_uuid) type.logical = Logical::kUuid;
  if (name != "decimal" || (type.kind != Kind::kBytes && type.kind != Kind::kFixed)) return;
  const std::int64_t precision = IntegerMember(json, "precision", 0);
  const std::int64_t scale = IntegerMember(json, "scale", 0);
  if (precision < 1 || scale < 0 || scale > precision || scale > kLargestFixed) return;
  type.logical = Logical::kDecimal;
  type.scale = static_cast<std::uint32_t>(scale);
}

class SchemaParser {
 public:
  using Kind = AvroType::Kind;

  Status Add(const element& json) {
    Result<std::uint32_t> root = ParseType(json, "", 0);
    if (!root.ok()) return std::move(root).error();
    schema_.root = root.value();
    return Ok{};
  }
  AvroSchema Take() { return std::move(schema_); }

 private:
  // `space`: the namespace around the type.
  Result<std::uint32_t> ParseType(const element& json, const std::string& space, unsigned depth) {
    if (depth > kMostSchemaDepth) return BadSchema("its types are nested too deeply");
    switch (json.type()) {
      case simdjson::dom::element_type::STRING:
        return TypeNamed(std::string_view(json), space);
      case simdjson::dom::element_type::ARRAY:
        return ParseUnion(array(json), space, depth);
      case simdjson::dom::element_type::OBJECT:
        return ParseObject(object(json), space, depth);
      default:
        return BadSchema("a type is a name, an object or a list, not a number or null");
    }
  }

  Result<std::uint32_t> TypeNamed(std::string_view name, const std::string& space) {
    if (const Kind* kind = PrimitiveOf(name)) return Add({.kind = *kind});
    auto found = names_.find(FullName(name, space));
    if (found == names_.end()) found = names_.find(name);
    if (found != names_.end()) return found->second;
    return BadSchema(fmt::format(
        "the type \"{}\" is not one of Avro, and is not defined before this place", name));
  }

  Result<std::uint32_t> ParseUnion(const array& branches, const std::string& space,
                                   unsigned depth) {
    const std::uint32_t place = Add({.kind = Kind::kUnion});
    for (const element branch : branches) {
      if (branch.is_array()) return BadSchema("a union has a union in it");
      Result<std::uint32_t> part = ParseType(branch, space, depth + 1);
      if (!part.ok()) return part;
      schema_.types[place].parts.push_back(part.value());
    }
    if (schema_.types[place].parts.empty()) return BadSchema("a union is empty");
    return place;
  }

  Result<std::uint32_t> ParseObject(const object& json, const std::string& space, unsigned depth) {
    element type;
    if (json.at_key("type").get(type) != simdjson::SUCCESS) {
      return BadSchema("a type has no member \"type\"");
    }
    std::string_view name;
    if (type.get(name) != simdjson::SUCCESS) return ParseType(type, space, depth + 1);
    if (const Kind* kind = PrimitiveOf(name)) {
      AvroType primitive{.kind = *kind};
      TakeLogical(json, primitive);
      return Add(std::move(primitive));
    }
    if (name == "record" || name == "error") return ParseRecord(json, space, depth);
    if (name == "enum") return ParseEnum(json, space);
    if (name == "fixed") return ParseFixed(json, space);
    if (name == "array") return ParseItems(json, "items", Kind::kArray, space, depth);
    if (name == "map") return ParseItems(json, "values", Kind::kMap, space, depth);
    return TypeNamed(name, space);
  }

  Result<std::uint32_t> ParseItems(const object& json, std::string_view member, Kind kind,
                                   const std::string& space, unsigned depth) {
    element items;
    if (json.at_key(member).get(items) != simdjson::SUCCESS) {
      return BadSchema(fmt::format("a type has no member \"{}\"", member));
    }
    const std::uint32_t place = Add({.kind = kind});
    Result<std::uint32_t> part = ParseType(items, space, depth + 1);
    if (!part.ok()) return part;
    schema_.types[place].parts.push_back(part.value());
    return place;
  }

  Result<std::uint32_t> ParseRecord(const object& json, const std::string& space, unsigned depth) {
    Result<std::string> name = Define(json, space);
    if (!name.ok()) return std::move(name).error();
    const std::uint32_t place = names_[name.value()] = Add({.kind = Kind::kRecord});
    const std::string label = fmt::format("record \"{}\"", name.value());
    array fields;
    if (json.at_key("fields").get(fields) != simdjson::SUCCESS) {
      return BadSchema(label + ": it has no list \"fields\"");
    }
    for (const element each : fields) {
      object field;
      const bool is_object = each.get(field) == simdjson::SUCCESS;
      const std::string_view field_name = is_object ? TextMember(field, "name") : "";
      if (field_name.empty()) return BadSchema(label + ": a field has no name");
      const std::string where = fmt::format("{}, field \"{}\"", label, field_name);
      element type;
      if (field.at_key("type").get(type) != simdjson::SUCCESS) {
        return BadSchema(where + ": it has no type");
      }
      const auto& known = schema_.types[place].fields;
      if (std::ranges::find(known, field_name, &AvroType::Field::name) != known.end()) {
        return BadSchema(where + ": there are two fields of this name");
      }
      Result<std::uint32_t> part = ParseType(type, SpaceOf(name.value()), depth + 1);
      if (!part.ok()) return std::move(part).error().Within(where);
      schema_.types[place].fields.push_back({std::string(field_name), part.value()});
    }
    return place;
  }

  Result<std::uint32_t> ParseEnum(const object& json, const std::string& space) {
    Result<std::string> name = Define(json, space);
    if (!name.ok()) return std::move(name).error();
    AvroType type{.kind = Kind::kEnum};
    array symbols;
    if (json.at_key("symbols").get(symbols) != simdjson::SUCCESS) {
      return BadSchema(fmt::format("enum \"{}\": it has no list \"symbols\"", name.value()));
    }
    for (const element each : symbols) {
      std::string_view symbol;
      if (each.get(symbol) != simdjson::SUCCESS) {
        return BadSchema(fmt::format("enum \"{}\": a symbol is not a string", name.value()));
      }
      type.symbols.emplace_back(symbol);
    }
    return names_[name.value()] = Add(std::move(type));
  }

  Result<std::uint32_t> ParseFixed(const object& json, const std::string& space) {
    Result<std::string> name = Define(json, space);
    if (!name.ok()) return std::move(name).error();
    const std::int64_t size = IntegerMember(json, "size", -1);
    if (size < 0 || size > kLargestFixed) {
      return BadSchema(
          fmt::format("fixed \"{}\": its size must be 0 to {}", name.value(), kLargestFixed));
    }
    AvroType type{.kind = Kind::kFixed, .size = static_cast<std::uint32_t>(size)};
    TakeLogical(json, type);
    return names_[name.value()] = Add(std::move(type));
  }

  // The full name of a type that is defined here.
  Result<std::string> Define(const object& json, const std::string& space) const {
    const std::string_view name = TextMember(json, "name");
    if (name.empty()) return BadSchema("a record, enum or fixed has no name");
    std::string_view own_space;
    const bool has_space = json.at_key("namespace").get(own_space) == simdjson::SUCCESS;
    std::string full = FullName(name, has_space ? std::string(own_space) : space);
    if (!names_.contains(full)) return full;
    return BadSchema(fmt::format("the type \"{}\" is defined twice", full));
  }

  static std::string FullName(std::string_view name, const std::string& space) {
    const bool is_full = space.empty() || name.find('.') != std::string_view::npos;
    return is_full ? std::string(name) : fmt::format("{}.{}", space, name);
  }
  static std::string SpaceOf(const std::string& full_name) {
    const std::size_t point = full_name.rfind('.');
    return point == std::string::npos ? "" : full_name.substr(0, point);
  }

  std::uint32_t Add(AvroType type) {
    schema_.types.push_back(std::move(type));
    return static_cast<std::uint32_t>(schema_.types.size() - 1);
  }

  AvroSchema schema_;
  std::map<std::string, std::uint32_t, std::less<>> names_;
};

}  // namespace

Result<AvroSchema> AvroSchema::Parse(std::span<const std::string> texts) {
  SchemaParser schemas;
  simdjson::dom::parser parser;
  for (const std::string& text : texts) {
    if (text.size() > kMostBytes) {
      return BadSchema(fmt::format("the schema has more than {} bytes", kMostBytes));
    }
    const simdjson::padded_string padded(text);
    element json;
    if (const auto error = parser.parse(padded).get(json)) {
      return BadSchema(fmt::format("the schema is not JSON: {}", simdjson::error_message(error)));
    }
    if (Status added = schemas.Add(json); !added.ok()) return std::move(added).error();
  }
  return schemas.Take();
}

}  // namespace sash
