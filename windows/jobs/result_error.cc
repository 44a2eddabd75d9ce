#include "windows/jobs/result_error.h"

#include <variant>

#include "windows/base/finite_weight.h"

namespace sash {
namespace {

constexpr std::string_view kBeyond = " beyond the range of a double (1.8e308)";

struct OutputError {
  std::string operator()(const PageRankOutput& output) const { return output.error; }

  std::string operator()(const DistancesOutput& output) const {
    if (output.negative_edges > 0) {
      return std::to_string(output.negative_edges) +
             " edges have a negative weight; distances need weights of at least 0";
    }
    if (output.overflowed == 0) return "";
    return OverflowText(output.overflowed, "vertex has a distance", "vertices have a distance") +
           (output.overflowed == 1 ? "; it is not listed" : "; they are not listed");
  }

  std::string operator()(const ShapeOutput& output) const {
    if (output.overflowed_edges > 0) {
      return OverflowedEdgesText(output.overflowed_edges, "the total weight has no value");
    }
    return IsFinite(output.weight) ? "" : "the total weight is" + std::string(kBeyond);
  }

  // Counts, depths and sets are integers; coefficients lie between 0 and 1.
  std::string operator()(const auto&) const { return ""; }
};

}  // namespace

std::string ErrorOf(const KernelOutput& output) { return std::visit(OutputError(), output); }

std::string OverflowText(std::uint64_t count, std::string_view one, std::string_view many) {
  std::string text = std::to_string(count) + " ";
  return text.append(count == 1 ? one : many).append(kBeyond);
}

std::string OverflowedEdgesText(std::uint64_t edges, std::string_view consequence) {
  return OverflowText(edges, "edge has a weight", "edges have a weight") +
         ", as the sum of its copies; " + std::string(consequence);
}

}  // namespace sash
