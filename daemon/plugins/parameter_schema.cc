#include "daemon/plugins/parameter_schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "daemon/config/error_list.h"
#include "daemon/config/nearest_key.h"
#include "windows/base/json_nesting.h"

namespace sash {
namespace {

using SchemaJson = nlohmann::ordered_json;

Error WrongSchema(std::string why) { return {ErrorCode::kInvalidArgument, std::move(why)}; }

std::optional<PluginValue> ValueFrom(const SchemaJson& json) {
  if (json.is_boolean()) return PluginValue(json.get<bool>());
  if (json.is_number_unsigned() && json.get<std::uint64_t>() > INT64_MAX) return std::nullopt;
  if (json.is_number_integer()) return PluginValue(json.get<std::int64_t>());
  if (json.is_number()) return PluginValue(json.get<double>());
  if (json.is_string()) return PluginValue(json.get<std::string>());
  return std::nullopt;
}

SchemaJson JsonFrom(const PluginValue& value) {
  return std::visit([](const auto& of) { return SchemaJson(of); }, value);
}

std::string Shown(const PluginValue& value) { return JsonFrom(value).dump(); }

std::string NumberText(double value) { return fmt::format("{}", value); }

bool IsPlainName(std::string_view name) {
  return !name.empty() && name.size() <= 64 && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
}

}  // namespace

// Reads a schema; the first error ends it.
class SchemaReader {
 public:
  Result<ParameterSchema> Read(std::string_view json) {
    if (IsNestedTooDeeply(json)) return WrongSchema("is nested too deeply");
    const SchemaJson schema = SchemaJson::parse(json, nullptr, /*allow_exceptions=*/false);
    if (!schema.is_object()) return WrongSchema("is not a JSON object");
    const SchemaJson type = schema.value("type", SchemaJson("object"));
    if (type != "object") return WrongSchema("must have `type` object");
    const SchemaJson properties = schema.value("properties", SchemaJson::object());
    if (!properties.is_object()) return WrongSchema("must have an object as `properties`");
    ParameterSchema read;
    for (const auto& [name, described] : properties.items()) {
      if (auto why = ReadOne(name, described, read)) return WrongSchema(*std::move(why));
    }
    return read;
  }

 private:
  using Described = ParameterSchema::Described;
  using Type = ParameterSchema::Type;

  static std::optional<std::string> ReadOne(const std::string& name, const SchemaJson& json,
                                            ParameterSchema& schema) {
    if (!IsPlainName(name) || name == "plugin") {
      return fmt::format(
          "has a parameter `{}`; a name has 1 to 64 of a-z 0-9 _, and `plugin` is "
          "taken",
          name);
    }
    if (!json.is_object()) return fmt::format("must describe `{}` by an object", name);
    static const std::set<std::string> known = {
        "type", "default",          "minimum",          "maximum",
        "enum", "exclusiveMinimum", "exclusiveMaximum", "description",
        "title"};
    for (const auto& [keyword, value] : json.items()) {
      if (known.contains(keyword)) continue;
      return fmt::format("has `{}` at `{}`, which sashd does not know; use {}", keyword, name,
                         WithCommas(known));
    }
    Described parameter{.name = name};
    static constexpr std::array<std::string_view, 4> kTypes = {"number", "integer", "boolean",
                                                               "string"};
    const SchemaJson type = json.value("type", SchemaJson());
    const auto found =
        std::ranges::find_if(kTypes, [&](std::string_view of) { return type == of; });
    if (found == kTypes.end()) {
      return fmt::format("must give `{}` one `type` of {}", name, WithCommas(kTypes));
    }
    parameter.type = static_cast<Type>(found - kTypes.begin());
    if (auto why = ReadBounds(json, parameter)) return why;
    if (json.contains("enum")) {
      std::vector<PluginValue> words;  // compared with the type and the bounds, not with each other
      for (const SchemaJson& each : json["enum"]) {
        const std::optional<PluginValue> word = ValueFrom(each);
        const auto fitting = word ? ParameterSchema::Fit(parameter, *word) : std::nullopt;
        if (!fitting) return fmt::format("has a value in `enum` of `{}` of another type", name);
        words.push_back(*fitting);
      }
      parameter.words = std::move(words);
    }
    if (json.contains("default")) {
      const std::optional<PluginValue> given = ValueFrom(json["default"]);
      parameter.standard = given ? ParameterSchema::Fit(parameter, *given) : std::nullopt;
      if (!parameter.standard) {
        return fmt::format("has a default of `{}` that is not {}", name,
                           ParameterSchema::Expected(parameter));
      }
    }
    schema.parameters_.push_back(std::move(parameter));
    return std::nullopt;
  }

  static std::optional<std::string> ReadBounds(const SchemaJson& json, Described& parameter) {
    const auto read = [&](const char* keyword, std::optional<double>& bound, bool& is_exclusive,
                          bool exclusive) {
      if (!json.contains(keyword)) return true;
      if (!json[keyword].is_number()) return false;
      bound = json[keyword].get<double>();
      is_exclusive = exclusive;
      return true;
    };
    const bool all = read("minimum", parameter.least, parameter.is_above, false) &&
                     read("maximum", parameter.most, parameter.is_below, false) &&
                     read("exclusiveMinimum", parameter.least, parameter.is_above, true) &&
                     read("exclusiveMaximum", parameter.most, parameter.is_below, true);
    if (!all) return fmt::format("has a bound of `{}` that is not a number", parameter.name);
    return std::nullopt;
  }
};

Result<ParameterSchema> ParameterSchema::Parse(std::string_view json) {
  return SchemaReader().Read(json);
}

std::string ParameterSchema::Expected(const Described& parameter) {
  if (!parameter.words.empty()) {
    std::vector<std::string> words;
    for (const PluginValue& word : parameter.words) words.push_back(Shown(word));
    return "one of " + WithCommas(words);
  }
  switch (parameter.type) {
    case Type::kBoolean:
      return "true or false";
    case Type::kString:
      return "text";
    case Type::kNumber:
    case Type::kInteger:
      break;
  }
  std::string text = parameter.type == Type::kInteger ? "a whole number" : "a number";
  if (parameter.least) {
    text += (parameter.is_above ? " above " : " of at least ") + NumberText(*parameter.least);
  }
  if (parameter.most) {
    text += parameter.least ? " and " : " ";
    text += (parameter.is_below ? "below " : "at most ") + NumberText(*parameter.most);
  }
  return text;
}

std::optional<PluginValue> ParameterSchema::Fit(const Described& parameter,
                                                const PluginValue& value) {
  std::optional<PluginValue> fitting;
  const auto* const whole = std::get_if<std::int64_t>(&value);
  const auto* const real = std::get_if<double>(&value);
  switch (parameter.type) {
    case Type::kBoolean:
      if (std::holds_alternative<bool>(value)) fitting = value;
      break;
    case Type::kString:
      if (std::holds_alternative<std::string>(value)) fitting = value;
      break;
    case Type::kInteger:
      if (whole != nullptr) fitting = value;
      break;
    case Type::kNumber:
      if (real != nullptr) fitting = value;
      if (whole != nullptr) fitting = static_cast<double>(*whole);
      break;
  }
  if (!fitting) return std::nullopt;
  if (whole != nullptr || real != nullptr) {
    const double number = whole != nullptr ? static_cast<double>(*whole) : *real;
    const auto& [least, most] = std::pair(parameter.least, parameter.most);
    if (least && (number < *least || (parameter.is_above && number == *least))) return std::nullopt;
    if (most && (number > *most || (parameter.is_below && number == *most))) return std::nullopt;
  }
  if (!parameter.words.empty() &&
      std::ranges::find(parameter.words, *fitting) == parameter.words.end()) {
    return std::nullopt;
  }
  return fitting;
}

std::vector<PluginFault> ParameterSchema::Resolve(const std::vector<PluginParameter>& given,
                                                  std::vector<PluginParameter>& values) const {
  std::vector<PluginFault> faults;
  std::vector<std::string_view> names;
  for (const Described& each : parameters_) names.push_back(each.name);
  for (const PluginParameter& each : given) {
    if (std::ranges::find(names, each.name) != names.end()) continue;
    const std::string known = names.empty() ? "it has none" : "it has " + WithCommas(names);
    faults.push_back(
        {"parameters." + each.name, fmt::format("is not a parameter of the plug-in{}; {}",
                                                Suggestion(each.name, names), known)});
  }
  for (const Described& each : parameters_) {
    const auto found = std::ranges::find(given, each.name, &PluginParameter::name);
    if (found == given.end()) {
      if (each.standard) {
        values.push_back({each.name, *each.standard});
      } else {
        faults.push_back(
            {"parameters." + each.name, fmt::format("is required: give {}", Expected(each))});
      }
      continue;
    }
    if (const std::optional<PluginValue> value = Fit(each, found->value)) {
      values.push_back({each.name, *value});
    } else {
      faults.push_back({"parameters." + each.name,
                        fmt::format("must be {}, not `{}`", Expected(each), Shown(found->value))});
    }
  }
  return faults;
}

std::string JsonOf(const std::vector<PluginParameter>& values) {
  SchemaJson object = SchemaJson::object();
  for (const PluginParameter& each : values) object[each.name] = JsonFrom(each.value);
  return object.dump();
}

}  // namespace sash
