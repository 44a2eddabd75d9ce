#include "daemon/config/json_schema.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "daemon/config/error_list.h"
#include "daemon/config/key_defaults.h"
#include "daemon/config/known_keys.h"
#include "daemon/config/sections.h"

namespace sash {
namespace {

using Json = nlohmann::ordered_json;

class SchemaWriter {
 public:
  Json Root() {
    Json schema = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                   {"title", "Configuration of sashd"}};
    schema.update(Section(SectionOf(""), false));
    schema["$defs"] = {
        {"reference",
         {{"type", "string"},
          {"pattern", R"((^|[^$])\$\{(env|file):[^}]+\})"},
          {"description", "The value of an environment variable, or the content of a file"}}}};
    return schema;
  }

 private:
  // `empty`: an empty section means the defaults, if no key is required.
  Json Section(const SectionSpec& section, bool empty = true) {
    Json schema = {{"type", "object"}, {"additionalProperties", false}};
    Json properties = Json::object();
    Json required = Json::array();
    for (const KeySpec& key : section.keys) {
      properties[std::string(key.name)] = Key(section, key);
      if (key.presence == Presence::kRequired) required.push_back(key.name);
    }
    if (empty && required.empty() && section.exactly_one.empty()) {
      schema["type"] = {"object", "null"};
    }
    schema["properties"] = std::move(properties);
    if (!required.empty()) schema["required"] = std::move(required);
    for (const std::string_view key : section.exactly_one) {
      schema["oneOf"].push_back({{"required", {key}}});
    }
    if (section.section == "windows[]") schema["allOf"] = Extents();
    if (section.section == "source.format" || section.section == "source.mappings[]")
      schema["allOf"] = Edges(SectionOf("source.format.edges[]"));
    if (section.section == "source") schema["allOf"] = OneFormat();
    if (section.section == "jobs[]") schema["allOf"] = Kernels();
    return schema;
  }

  // A format, or mappings; slices need neither.
  static Json OneFormat() {
    Json one = Json::array();
    for (const char* key : {"format", "mappings"}) one.push_back({{"required", {key}}});
    const Json some = {{"anyOf", one}};
    one.push_back({{"required", {"export"}}, {"not", some}});
    Json rules = Json::array();
    rules.push_back({{"oneOf", std::move(one)}});
    return rules;
  }

  // The keys of an edge are in `json`, or in each item of `edges`.
  static Json Edges(const SectionSpec& edge) {
    Json needed = Json::array();
    Json none = Json::object();
    for (const KeySpec& key : edge.keys) {
      none[std::string(key.name)] = false;
      if (key.presence == Presence::kRequired) needed.push_back(key.name);
    }
    const Json listed = {{"required", {"edges"}}};
    const Json with_json = {{"required", {"json"}}};
    const Json own = {{"type", "object"}, {"required", std::move(needed)}};
    const Json bare = {{"properties", std::move(none)}};
    Json rules = Json::array();
    rules.push_back({{"if", {{"allOf", {with_json, {{"not", listed}}}}}},
                     {"then", {{"properties", {{"json", own}}}}}});
    rules.push_back(
        {{"if", listed}, {"then", {{"required", {"json"}}, {"properties", {{"json", bare}}}}}});
    return rules;
  }

  Json Key(const SectionSpec& section, const KeySpec& key) {
    Json forms = Json::array();
    bool scalar = false;
    for (const Shape& shape : key.shapes) {
      forms.push_back(std::visit([&](const auto& kind) { return Form(kind); }, shape));
      scalar = scalar || IsScalar(shape);
    }
    if (scalar) forms.push_back({{"$ref", "#/$defs/reference"}});
    Json schema = {{"description", key.about}};
    const auto found = defaults_.find(JoinKey(std::string(section.section), key.name));
    if (found != defaults_.end() && key.presence == Presence::kOptional) {
      schema["default"] = Value(key, found->second);
    }
    if (forms.size() == 1) {
      schema.update(forms.front());
    } else {
      schema["anyOf"] = std::move(forms);
    }
    return schema;
  }

  static bool IsScalar(const Shape& shape) {
    return !std::holds_alternative<SectionShape>(shape) && !std::holds_alternative<Items>(shape) &&
           !std::holds_alternative<FreeMapping>(shape) &&
           !std::holds_alternative<KernelParameters>(shape) &&
           !std::holds_alternative<Extent>(shape);
  }

  // The default as JSON: numbers and flags are not strings.
  static Json Value(const KeySpec& key, const std::string& text) {
    for (const Shape& shape : key.shapes) {
      const bool literal = std::holds_alternative<WholeNumber>(shape) ||
                           std::holds_alternative<RealNumber>(shape) ||
                           std::holds_alternative<Flag>(shape);
      if (!literal) continue;
      Json value = Json::parse(text, nullptr, /*allow_exceptions=*/false);
      if (!value.is_discarded()) return value;
    }
    return text;
  }

  static Json Form(const Words& words) {
    Json values = Json::array();
    for (const std::string_view word : words.words) {
      values.push_back(word);
      if (word == "false") values.push_back(false);
    }
    return {{"enum", std::move(values)}};
  }

  static Json Form(const WholeNumber& number) {
    Json schema = {{"type", "integer"}, {"minimum", number.least}};
    if (number.most != std::numeric_limits<std::int64_t>::max()) schema["maximum"] = number.most;
    return schema;
  }

  static Json Form(const RealNumber& number) {
    const bool above = number.range == RealNumber::Range::kAboveZero;
    Json schema = {{"type", "number"}, {above ? "exclusiveMinimum" : "minimum", 0}};
    if (number.range == RealNumber::Range::kFromZeroToBelowOne) schema["exclusiveMaximum"] = 1;
    return schema;
  }

  static Json Pattern(std::string_view pattern, std::string_view like) {
    // Editors show the last member instead of the pattern.
    return {{"type", "string"},
            {"pattern", pattern},
            {"patternErrorMessage", fmt::format("give {}", like)}};
  }

  static Json Form(const TimeSpan& span) {
    return Pattern(span.zero ? "^[0-9]+(ns|us|ms|s|m|h|d)$" : "^0*[1-9][0-9]*(ns|us|ms|s|m|h|d)$",
                   "one whole number and one unit of ns, us, ms, s, m, h, d, such as 5m");
  }

  static Json Form(const ByteSize& /*size*/) {
    return Pattern("^[0-9]+(B|KiB|MiB|GiB|TiB)$",
                   "one whole number and one unit of B, KiB, MiB, GiB, TiB, such as 64MiB");
  }

  static Json Form(const Flag& /*flag*/) { return {{"type", "boolean"}}; }

  static Json Form(const Text& text) {
    Json schema = text.pattern.empty() ? Json({{"type", "string"}, {"minLength", 1}})
                                       : Pattern(text.pattern, text.like);
    if (text.bare == Text::Bare::kTruth) schema["type"] = {"string", "boolean"};
    if (text.bare == Text::Bare::kAnything) schema["type"] = {"string", "number", "boolean"};
    return schema;
  }

  // Depends on another key: see Extents().
  static Json Form(const Extent& /*extent*/) { return Json::object(); }
  // Depends on another key: see Kernels().
  static Json Form(const KernelParameters& /*parameters*/) { return Json::object(); }

  Json Form(const SectionShape& section) { return Section(SectionOf(section.section)); }

  Json Form(const Items& items) {
    Json item;
    if (const auto* text = std::get_if<Text>(&items.item)) {
      item = {{"anyOf", {Form(*text), {{"$ref", "#/$defs/reference"}}}}};
    } else {
      item = Form(std::get<SectionShape>(items.item));
    }
    Json schema = {{"type", "array"}, {"items", std::move(item)}};
    if (items.one_at_least) {
      schema["minItems"] = 1;
    } else {
      schema["type"] = {"array", "null"};
    }
    return schema;
  }

  static Json Form(const FreeMapping& mapping) {
    if (mapping.kind != FreeMapping::Kind::kOffsets) {
      return {{"type", {"object", "null"}},
              {"propertyNames", {{"minLength", 1}}},
              {"additionalProperties", {{"type", {"string", "number", "boolean"}}}}};
    }
    const Json offset = {{"anyOf", {Form(WholeNumber{0}), {{"$ref", "#/$defs/reference"}}}}};
    const Json offsets = {{"type", "object"},
                          {"minProperties", 1},
                          {"propertyNames", {{"pattern", "^[0-9]+$"}}},
                          {"additionalProperties", offset}};
    return {{"type", "object"}, {"minProperties", 1}, {"additionalProperties", offsets}};
  }

  // How length and slide are written depends on what they count. Windows by events have no offset
  // and no filter.
  static Json Extents() {
    const Json reference = {{"$ref", "#/$defs/reference"}};
    const auto extents = [&](const Json& form) {
      return Json{{"properties",
                   {{"length", {{"anyOf", {form, Form(Words{{"forever"}}), reference}}}},
                    {"slide", {{"anyOf", {form, reference}}}},
                    {"retain", {{"anyOf", {form, reference}}}}}}};
    };
    Json by_events = extents(Form(WholeNumber{1, Extent::kMostEvents}));
    by_events["properties"]["offset"] = false;
    by_events["properties"]["types"] = false;
    by_events["properties"]["where"] = false;
    const Json counts = {{"properties", {{"by", {{"const", "events"}}}}}, {"required", {"by"}}};
    const Json lasts = {{"properties", {{"by", {{"enum", {"event_time", "processing_time"}}}}}}};
    return {{{"if", counts}, {"then", std::move(by_events)}},
            {{"if", lasts}, {"then", extents(Form(TimeSpan{.zero = false}))}}};
  }

  // The parameters depend on the kernel.
  Json Kernels() {
    Json rules = Json::array();
    for (const std::string_view kernel : kKernels) {
      const SectionSpec& section = SectionOf(fmt::format("jobs[].parameters<{}>", kernel));
      Json then = {{"properties", {{"parameters", Section(section)}}}};
      if (then["properties"]["parameters"].contains("required")) then["required"] = {"parameters"};
      if (kernel == PluginParameters::kKernel) {
        then = {{"properties", {{"parameters", Form(FreeMapping{})}}}, {"required", {"plugin"}}};
      } else {
        then["properties"]["plugin"] = false;
        then["properties"]["isolate"] = false;
      }
      rules.push_back(
          {{"if", {{"properties", {{"kernel", {{"const", kernel}}}}}, {"required", {"kernel"}}}},
           {"then", std::move(then)}});
    }
    return rules;
  }

  const KeyDefaults defaults_ = FindDefaults();
};

}  // namespace

std::string PrintSchema() { return SchemaWriter().Root().dump(2) + "\n"; }

}  // namespace sash
