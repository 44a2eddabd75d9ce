// The kernel of a job and its parameters.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "daemon/config/nearest_key.h"
#include "daemon/config/scalar_text.h"
#include "daemon/config/sections.h"

namespace sash {
namespace {

Result<VertexKey> ParseKey(std::string_view text, KeyKind keys) {
  if (keys == KeyKind::kInteger) {
    Result<std::int64_t> key = ReadInteger(text);
    if (key) return VertexKey(key.value());
    return Wrong(key.error().message + "; with `keys: integer` every key is a 64-bit integer");
  }
  if (text.empty()) return Wrong("must not be empty; a vertex key has at least one character");
  return VertexKey(std::string(text));
}

// `forms` describes the accepted values.
void ReadKeys(const Section& section, std::string_view name, std::string_view forms, KeyKind keys,
              std::vector<VertexKey>& read) {
  const Place place = section.At(name);
  if (place.node->kind == YamlNode::Kind::kEmpty ||
      (place.node->kind == YamlNode::Kind::kList && place.node->items.empty())) {
    section.Fail(name, fmt::format("is empty; give {}", forms));
  }
  for (const Place& item : section.Items(name, forms)) {
    VertexKey key;
    if (ReadAt(
            item, key, "a vertex key (in quotes if it is the text null or ~)",
            [&](std::string_view text) { return ParseKey(text, keys); }, section.errors())) {
      read.push_back(std::move(key));
    }
  }
}

void ReadSources(const Section& section, KeyKind keys, std::vector<VertexKey>& sources) {
  if (!section.Has("sources")) return;
  const YamlNode& node = *section.At("sources").node;
  if (node.kind == YamlNode::Kind::kScalar && node.text == "all") return;
  ReadKeys(section, "sources", "a list of vertex keys, such as [alice], or all", keys, sources);
}

template <typename Parameters>
void ReadWarmStart(const Section& section, Parameters& parameters) {
  section.Read("warm_start", parameters.warm_start);
  section.Read("check_every", parameters.check_every);
}

PageRankParameters ReadPageRank(const Section& section, KeyKind keys) {
  PageRankParameters parameters;
  section.Read("damping", parameters.damping);
  section.Read("tolerance", parameters.tolerance);
  section.Read("max_iterations", parameters.max_iterations);
  ReadWarmStart(section, parameters);
  section.Read("weighted", parameters.weighted);
  ReadSources(section, keys, parameters.sources);
  if (parameters.warm_start && parameters.is_biased()) {
    section.Fail("warm_start", "cannot be combined with `weighted` or `sources`; leave it out");
  }
  return parameters;
}

void ReadDirection(const Section& section, TraversalDirection& direction) {
  section.Choose("direction", direction,
                 {{"out", TraversalDirection::kOut},
                  {"in", TraversalDirection::kIn},
                  {"both", TraversalDirection::kBoth}});
}

void ReadRoots(const Section& section, KeyKind keys, std::vector<VertexKey>& roots) {
  static constexpr std::string_view kRoots = "a list of vertex keys, such as [alice]";
  if (!section.Has("roots")) {
    section.FailMissing("roots", fmt::format("give {}", kRoots));
    return;
  }
  ReadKeys(section, "roots", kRoots, keys, roots);
}

BfsParameters ReadBfs(const Section& section, KeyKind keys) {
  BfsParameters parameters;
  ReadDirection(section, parameters.direction);
  section.Read("separate", parameters.separate);
  section.Read("parents", parameters.parents);
  ReadWarmStart(section, parameters);
  ReadRoots(section, keys, parameters.roots);
  return parameters;
}

SsspParameters ReadSssp(const Section& section, KeyKind keys) {
  SsspParameters parameters;
  ReadDirection(section, parameters.direction);
  section.ReadOr("delta", parameters.delta, {{"auto", 0.0}});
  ReadRoots(section, keys, parameters.roots);
  return parameters;
}

CdlpParameters ReadCdlp(const Section& section) {
  CdlpParameters parameters;
  section.Read("max_iterations", parameters.max_iterations);
  return parameters;
}

template <typename Parameters>
Parameters ReadWithDirection(const Section& section) {
  Parameters parameters;
  ReadDirection(section, parameters.direction);
  return parameters;
}

// The default parameters of the kernel with this name.
template <std::size_t... I>
JobParameters Default(std::string_view kernel, std::index_sequence<I...> /*alternatives*/) {
  JobParameters parameters;
  static_cast<void>(((kKernels[I] == kernel && (parameters.emplace<I>(), true)) || ...));
  return parameters;
}

}  // namespace

std::string KernelNames() { return WithCommas(kKernels); }

Result<std::string> ParseKernel(std::string_view text) {
  if (std::ranges::find(kKernels, text) != kKernels.end()) return std::string(text);
  return Wrong(fmt::format("`{}` is not a known kernel; available: {}{}", text, KernelNames(),
                           Suggestion(text, kKernels)));
}

JobParameters ReadParameters(const Section& job, const std::string& kernel, KeyKind keys) {
  static const YamlNode empty;
  Place place = job.At("parameters");
  if (place.node == nullptr) place.node = &empty;
  const Section parameters(place, fmt::format("jobs[].parameters<{}>", kernel), job.errors());
  if (kernel == PageRankParameters::kKernel) return ReadPageRank(parameters, keys);
  if (kernel == BfsParameters::kKernel) return ReadBfs(parameters, keys);
  if (kernel == SsspParameters::kKernel) return ReadSssp(parameters, keys);
  if (kernel == CdlpParameters::kKernel) return ReadCdlp(parameters);
  if (kernel == DegreeParameters::kKernel) return ReadWithDirection<DegreeParameters>(parameters);
  if (kernel == FanoutParameters::kKernel) return ReadWithDirection<FanoutParameters>(parameters);
  return Default(kernel, std::make_index_sequence<std::variant_size_v<JobParameters>>());
}

}  // namespace sash
