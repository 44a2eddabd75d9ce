#include "connectors/export/frozen/edge_forms.h"

namespace sash {

std::optional<MarkedForm> MarkedForm::Of(const WindowOutline& outline) {
  constexpr std::uint64_t kMostMarks = std::uint64_t{1} << 32;
  if (outline.only_weight) return MarkedForm(outline, 1);
  if (outline.has_reals) return std::nullopt;
  // The difference of two 64-bit integers fits without a sign.
  const std::uint64_t last = static_cast<std::uint64_t>(outline.greatest_integer) -
                             static_cast<std::uint64_t>(outline.least_integer);
  if (last >= kMostMarks / outline.words.size() - 1) return std::nullopt;
  return MarkedForm(outline, static_cast<std::uint32_t>(last + 1));
}

}  // namespace sash
