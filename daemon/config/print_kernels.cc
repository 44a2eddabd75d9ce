// Prints the parameters of a kernel as configuration.
#include <fmt/format.h>

#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "daemon/config/sections.h"
#include "daemon/config/yaml_printer.h"

namespace sash {
namespace {

std::string_view Word(TraversalDirection direction) {
  switch (direction) {
    case TraversalDirection::kOut:
      return "out";
    case TraversalDirection::kIn:
      return "in";
    case TraversalDirection::kBoth:
      return "both";
  }
  return "";
}

std::string KeysText(const std::vector<VertexKey>& keys) {
  std::string list;
  for (const VertexKey& key : keys) {
    const auto* number = std::get_if<std::int64_t>(&key);
    list += list.empty() ? "" : ", ";
    list += number != nullptr ? std::to_string(*number) : Quote(std::get<std::string>(key));
  }
  return "[" + list + "]";
}

template <typename Parameters>
void PrintWarmStart(YamlPrinter& out, const Parameters& parameters) {
  out.Line(3, "warm_start", parameters.warm_start ? "true" : "false");
  out.Line(3, "check_every", std::to_string(parameters.check_every));
}

void Print(YamlPrinter& out, const PageRankParameters& parameters) {
  out.Line(2, "kernel", PageRankParameters::kKernel);
  out.Line(2, "parameters");
  out.Line(3, "damping", fmt::format("{}", parameters.damping));
  out.Line(3, "tolerance", fmt::format("{}", parameters.tolerance));
  out.Line(3, "max_iterations", std::to_string(parameters.max_iterations));
  PrintWarmStart(out, parameters);
  out.Line(3, "weighted", parameters.weighted ? "true" : "false");
  out.Line(3, "sources", parameters.sources.empty() ? "all" : KeysText(parameters.sources));
}

void Print(YamlPrinter& out, const BfsParameters& parameters) {
  out.Line(2, "kernel", BfsParameters::kKernel);
  out.Line(2, "parameters");
  out.Line(3, "roots", KeysText(parameters.roots));
  out.Line(3, "separate", parameters.separate ? "true" : "false");
  out.Line(3, "direction", Word(parameters.direction));
  out.Line(3, "parents", parameters.parents ? "true" : "false");
  PrintWarmStart(out, parameters);
}

void Print(YamlPrinter& out, const SsspParameters& parameters) {
  out.Line(2, "kernel", SsspParameters::kKernel);
  out.Line(2, "parameters");
  out.Line(3, "roots", KeysText(parameters.roots));
  out.Line(3, "direction", Word(parameters.direction));
  out.Line(3, "delta", parameters.delta > 0 ? fmt::format("{}", parameters.delta) : "auto");
}

void Print(YamlPrinter& out, const CdlpParameters& parameters) {
  out.Line(2, "kernel", CdlpParameters::kKernel);
  out.Line(2, "parameters");
  out.Line(3, "max_iterations", std::to_string(parameters.max_iterations));
}

template <typename Parameters>
requires requires(Parameters p) { p.direction; }
void Print(YamlPrinter& out, const Parameters& parameters) {
  out.Line(2, "kernel", Parameters::kKernel);
  out.Line(2, "parameters");
  out.Line(3, "direction", Word(parameters.direction));
}

template <typename Parameters>
requires std::is_empty_v<Parameters>
void Print(YamlPrinter& out, const Parameters& /*none*/) {
  out.Line(2, "kernel", Parameters::kKernel);
  out.Line(2, "parameters", "{}");
}

}  // namespace

void PrintKernel(YamlPrinter& out, const JobParameters& parameters) {
  std::visit([&](const auto& kind) { Print(out, kind); }, parameters);
}

}  // namespace sash
