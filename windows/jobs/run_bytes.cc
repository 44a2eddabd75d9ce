#include "windows/jobs/run_bytes.h"

#include <algorithm>
#include <cstddef>
#include <variant>

namespace sash {
namespace {

struct Need {
  std::uint64_t edge = 0;  // bytes for each
  std::uint64_t id = 0;
};

Need NeedOf(const PageRankParameters& parameters) {
  if (parameters.is_biased()) return {16, 80};
  // What follows a window notes edges beside its rows, and numbers them anew now and then.
  return parameters.warm_start ? Need{6, 88} : Need{5, 64};
}
Need NeedOf(const BfsParameters& parameters) {
  constexpr std::size_t kTogether = 64;  // traversals in words of bits
  const std::size_t traversals = parameters.separate ? parameters.roots.size() : 1;
  const std::size_t words = traversals > 1 ? 8 + std::min(traversals, kTogether) / 8 : 0;
  return {1, 12 + 4 * traversals + words};
}
Need NeedOf(const ShapeParameters&) { return {1, 8}; }
Need NeedOf(const WccParameters&) { return {1, 16}; }
Need NeedOf(const SsspParameters&) { return {14, 40}; }
Need NeedOf(const TrianglesParameters&) { return {5, 40}; }
Need NeedOf(const LccParameters&) { return {5, 40}; }
Need NeedOf(const CdlpParameters&) { return {2, 32}; }
Need NeedOf(const KcoreParameters&) { return {10, 40}; }
Need NeedOf(const DegreeParameters&) { return {1, 16}; }
Need NeedOf(const FanoutParameters&) { return {1, 16}; }
Need NeedOf(const NewEdgesParameters&) { return {1, 8}; }
Need NeedOf(const VanishedEdgesParameters&) { return {1, 8}; }

bool LeavesEdgesOnDisk(const JobParameters& parameters) {
  if (const auto* ranks = std::get_if<PageRankParameters>(&parameters)) return !ranks->is_biased();
  return std::holds_alternative<BfsParameters>(parameters) ||
         std::holds_alternative<ShapeParameters>(parameters);
}

}  // namespace

std::uint64_t RunBytes(const JobParameters& parameters, std::uint64_t edges, std::uint64_t id_limit,
                       bool on_disk) {
  Need need = std::visit([](const auto& of) { return NeedOf(of); }, parameters);
  if (on_disk && LeavesEdgesOnDisk(parameters)) need.edge = 0;
  return need.edge * edges + need.id * id_limit;
}

}  // namespace sash
