// The kernel of a job and its parameters: keys, readers and printing from the parameters' rows
// (windows/jobs/parameter.h).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "daemon/config/nearest_key.h"
#include "daemon/config/plugin_keys.h"
#include "daemon/config/scalar_text.h"
#include "daemon/config/sections.h"
#include "daemon/config/text_shapes.h"

namespace sash {
namespace {

// A job of the kernel with the defaults of its parameters; pagerank when there is no such kernel.
template <std::size_t... I>
JobParameters Default(std::string_view kernel, std::index_sequence<I...> /*alternatives*/) {
  JobParameters parameters;
  static_cast<void>(((kKernels[I] == kernel && (parameters.emplace<I>(), true)) || ...));
  return parameters;
}
JobParameters Default(std::string_view kernel) {
  return Default(kernel, std::make_index_sequence<std::variant_size_v<JobParameters>>());
}

std::string SectionName(std::string_view kernel) {
  return fmt::format("jobs[].parameters<{}>", kernel);
}

Result<VertexKey> ParseKey(std::string_view text, KeyKind keys) {
  if (keys == KeyKind::kInteger) {
    Result<std::int64_t> key = ReadInteger(text);
    if (key) return VertexKey(key.value());
    return Wrong(key.error().message + "; with `keys: integer` every key is a 64-bit integer");
  }
  if (text.empty()) return Wrong("must not be empty; a vertex key has at least one character");
  return VertexKey(std::string(text));
}

// Reads the values of parameters, one overload for each type of value.
struct ParameterReader {
  const Section& section;
  const Parameter& parameter;
  KeyKind keys;

  void operator()(bool* value) const { section.Read(parameter.name, *value); }
  void operator()(int* value) const { ReadNumber(*value); }
  void operator()(double* value) const { ReadNumber(*value); }
  template <ParameterChoice Choice>
  void operator()(Choice* value) const {
    std::vector<std::pair<std::string_view, Choice>> choices;
    for (const std::string_view word : ChoiceWords(*value)) {
      choices.emplace_back(word, static_cast<Choice>(choices.size()));
    }
    section.Choose(parameter.name, *value, choices);
  }
  void operator()(std::vector<VertexKey>* value) const {
    std::string forms = "a list of vertex keys, such as [alice]";
    if (!section.Has(parameter.name)) {
      if (parameter.word.empty()) {
        section.FailMissing(parameter.name, fmt::format("give {}", forms));
      }
      return;
    }
    const Place place = section.At(parameter.name);
    const YamlNode& node = *place.node;
    if (!parameter.word.empty()) {
      if (node.kind == YamlNode::Kind::kScalar && node.text == parameter.word) return;
      forms += fmt::format(", or {}", parameter.word);
    }
    if (node.kind == YamlNode::Kind::kEmpty ||
        (node.kind == YamlNode::Kind::kList && node.items.empty())) {
      section.Fail(parameter.name, fmt::format("is empty; give {}", forms));
    }
    for (const Place& item : section.Items(parameter.name, forms)) {
      VertexKey key;
      if (ReadAt(
              item, key, "a vertex key (in quotes if it is the text null or ~)",
              [&](std::string_view text) { return ParseKey(text, keys); }, section.errors())) {
        value->push_back(std::move(key));
      }
    }
  }

 private:
  template <typename Number>
  void ReadNumber(Number& value) const {
    if (parameter.word.empty()) {
      section.Read(parameter.name, value);
    } else {
      section.ReadOr(parameter.name, value, {{parameter.word, Number{0}}});
    }
  }
};

std::string KeysText(const std::vector<VertexKey>& keys) {
  std::string list;
  for (const VertexKey& key : keys) {
    const auto* number = std::get_if<std::int64_t>(&key);
    list += list.empty() ? "" : ", ";
    list += number != nullptr ? std::to_string(*number) : Quote(std::get<std::string>(key));
  }
  return "[" + list + "]";
}

// Prints the values of parameters, one overload for each type of value.
struct ParameterText {
  std::string operator()(const bool* value) const { return *value ? "true" : "false"; }
  std::string operator()(const int* value) const { return std::to_string(*value); }
  std::string operator()(const double* value) const { return fmt::format("{}", *value); }
  template <ParameterChoice Choice>
  std::string operator()(const Choice* value) const {
    return std::string(ChoiceWord(*value));
  }
  std::string operator()(const std::vector<VertexKey>* value) const { return KeysText(*value); }
};

// The shapes of parameters, one overload for each type of value.
struct ParameterShapes {
  const Parameter& parameter;

  std::vector<Shape> operator()(const bool* /*value*/) const { return {Flag{}}; }
  std::vector<Shape> operator()(const int* /*value*/) const {
    const auto bounds = std::get<WholeBounds>(parameter.bounds);
    return OrWord(WholeNumber{bounds.least, bounds.most});
  }
  std::vector<Shape> operator()(const double* /*value*/) const {
    switch (std::get<RealBounds>(parameter.bounds)) {
      case RealBounds::kFromZero:
        return OrWord(RealNumber{RealNumber::Range::kFromZero});
      case RealBounds::kFromZeroToBelowOne:
        return OrWord(RealNumber{RealNumber::Range::kFromZeroToBelowOne});
      case RealBounds::kAboveZero:
        break;
    }
    return OrWord(RealNumber{RealNumber::Range::kAboveZero});
  }
  template <ParameterChoice Choice>
  std::vector<Shape> operator()(const Choice* value) const {
    Words words;
    for (const std::string_view word : ChoiceWords(*value)) words.words.push_back(word);
    return {words};
  }
  std::vector<Shape> operator()(const std::vector<VertexKey>* /*value*/) const {
    return OrWord(Items{kAnyText, true});
  }

 private:
  std::vector<Shape> OrWord(Shape shape) const {
    std::vector<Shape> shapes = {std::move(shape)};
    if (!parameter.word.empty()) shapes.emplace_back(Words{{parameter.word}});
    return shapes;
  }
};

bool IsRequired(const Parameter& parameter, const ConstParameterValue& value) {
  return std::holds_alternative<const std::vector<VertexKey>*>(value) && parameter.word.empty();
}

}  // namespace

std::string KernelNames() { return WithCommas(kKernels); }

Result<std::string> ParseKernel(std::string_view text) {
  if (std::ranges::find(kKernels, text) != kKernels.end()) return std::string(text);
  return Wrong(fmt::format("`{}` is not a known kernel; available: {}{}", text, KernelNames(),
                           Suggestion(text, kKernels)));
}

std::vector<SectionSpec> KernelSections() {
  static const auto kNames = [] {  // sections name what lives as long as the process
    std::array<std::string, kKernels.size()> names;
    std::ranges::transform(kKernels, names.begin(), SectionName);
    return names;
  }();
  std::vector<SectionSpec> sections;
  for (std::size_t i = 0; i < kKernels.size(); ++i) {
    SectionSpec section{kNames[i], {}, {}};
    const JobParameters parameters = Default(kKernels[i]);
    VisitParameters(parameters, [&](const Parameter& parameter, const ConstParameterValue& value) {
      section.keys.push_back({parameter.name, std::visit(ParameterShapes{parameter}, value),
                              parameter.about, IsRequired(parameter, value) ? kRequired : kOptional,
                              kLive});
    });
    sections.push_back(std::move(section));
  }
  return sections;
}

JobParameters ReadParameters(const Section& job, const std::string& kernel, KeyKind keys) {
  static const YamlNode empty;
  Place place = job.At("parameters");
  if (place.node == nullptr) place.node = &empty;
  const Section section(place, SectionName(kernel), job.errors());
  JobParameters parameters = Default(kernel);
  VisitParameters(parameters, [&](const Parameter& parameter, const ParameterValue& value) {
    std::visit(ParameterReader{section, parameter, keys}, value);
  });
  if (const auto fault = FaultOfParameters(parameters)) {
    section.Fail(fault->parameter, std::string(fault->why));
  }
  return parameters;
}

void PrintKernel(YamlPrinter& out, const JobParameters& parameters) {
  out.Line(2, "kernel", KernelOf(parameters));
  if (const auto* plugin = std::get_if<PluginParameters>(&parameters)) {
    PrintPlugin(out, *plugin);
    return;
  }
  bool any = false;
  VisitParameters(parameters, [&](const Parameter& parameter, const ConstParameterValue& value) {
    if (!any) out.Line(2, "parameters");
    any = true;
    const std::string_view word = WordFor(parameter, value);
    out.Line(3, parameter.name, word.empty() ? std::visit(ParameterText(), value) : word);
  });
  if (!any) out.Line(2, "parameters", "{}");
}

std::string ShortestParameters(std::string_view kernel) {
  std::string text;
  const JobParameters parameters = Default(kernel);
  VisitParameters(parameters, [&](const Parameter& parameter, const ConstParameterValue& value) {
    if (!IsRequired(parameter, value)) return;
    text += fmt::format("{}{}: [v]", text.empty() ? "" : ", ", parameter.name);
  });
  return "{" + text + "}";
}

}  // namespace sash
