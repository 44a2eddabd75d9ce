#include "daemon/config/plugin_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "daemon/config/scalar_text.h"
#include "daemon/config/text_shapes.h"

namespace sash {
namespace {

template <typename Number>
bool IsWholeText(std::string_view text, Number& number) {
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, number);
  return read.ec == std::errc() && read.ptr == end;
}

// As YAML and JSON read a scalar; text in quotes stays text.
PluginValue ValueIn(const YamlNode& node) {
  if (node.quoted) return node.text;
  if (node.text == "true" || node.text == "false") return node.text == "true";
  std::int64_t whole = 0;
  if (IsWholeText(node.text, whole)) return whole;
  double real = 0;
  if (IsWholeText(node.text, real) && std::isfinite(real)) return real;
  return node.text;
}

std::string PluginValueText(const PluginValue& value) {
  if (const auto* truth = std::get_if<bool>(&value)) return *truth ? "true" : "false";
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return std::to_string(*whole);
  if (const auto* real = std::get_if<double>(&value)) {
    std::string text = fmt::format("{}", *real);
    const bool looks_whole = text.find_first_of(".e") == std::string::npos;
    return looks_whole ? text + ".0" : text;
  }
  return Quote(std::get<std::string>(value));
}

bool IsParameterName(std::string_view name) {
  return std::ranges::all_of(
      name, [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; });
}

}  // namespace

std::vector<Shape> PluginPathsForm::Shapes() const { return {Items{kFile}}; }

void PluginPathsForm::Read(const Section& root, const KeySpec& key,
                           std::vector<std::string>& paths) const {
  for (const Place& item : root.Items(key.name, "a list of paths")) {
    std::string path;
    const auto parse = [&](std::string_view text) -> Result<std::string> {
      Result<std::string> parsed = ParseFilePath(text);
      if (parsed.ok() && std::ranges::find(paths, parsed.value()) != paths.end()) {
        return Wrong(fmt::format("`{}` is listed twice; keep one", text));
      }
      return parsed;
    };
    if (ReadAt(item, path, "the path of a folder or a file", parse, root.errors())) {
      paths.push_back(std::move(path));
    }
  }
}

void PluginPathsForm::Print(YamlPrinter& out, int depth, const KeySpec& key,
                            const std::vector<std::string>& paths) const {
  out.Line(depth, key.name, QuoteAll(paths));
}

PluginParameters ReadPlugin(const Section& job) {
  PluginParameters plugin;
  static constexpr std::string_view kGive = "the path of a shared object below `plugins`";
  if (!job.Has("plugin")) {
    job.Fail("plugin", fmt::format("is required with `kernel: plugin`: give {}", kGive));
  }
  job.Read("plugin", plugin.file, kGive, ParseFilePath);
  job.Read("isolate", plugin.isolate, "true or false", ParseBool);
  const Place place = job.At("parameters");
  if (place.node == nullptr || place.node->kind == YamlNode::Kind::kEmpty) return plugin;
  for (const NamedPlace& entry :
       EntriesAt(place, "the parameters of the plug-in, or {}", job.errors())) {
    if (!IsParameterName(entry.key)) {
      job.errors().Add(entry.place, "is not a name of a parameter: a-z, 0-9 and _");
      continue;
    }
    const YamlNode* const node = ScalarAt(entry.place, "a value", job.errors());
    if (node != nullptr) plugin.given.push_back({entry.key, ValueIn(*node)});
  }
  return plugin;
}

void RefusePluginKeys(const Section& job, std::string_view kernel) {
  for (const std::string_view key : {"plugin", "isolate"}) {
    if (!job.Has(key)) continue;
    job.Fail(key, fmt::format("goes with `kernel: plugin`, not with `{}`; leave it out", kernel));
  }
}

void PrintPlugin(YamlPrinter& out, const PluginParameters& parameters) {
  out.Line(2, "plugin", Quote(parameters.file));
  out.Line(2, "isolate", parameters.isolate ? "true" : "false");
  out.Line(2, "parameters", parameters.given.empty() ? "{}" : "");
  for (const PluginParameter& each : parameters.given) {
    out.Line(3, each.name, PluginValueText(each.value));
  }
}

}  // namespace sash
