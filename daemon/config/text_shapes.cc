#include "daemon/config/text_shapes.h"

#include <cstdint>
#include <limits>

namespace sash {

std::string AddressPattern(std::string_view zero) {
  return R"((\[[0-9A-Fa-f:.]+(%[^\]]*)?\]|[A-Za-z0-9._-]+):()" + std::string(zero) +
         "0*(6553[0-5]|655[0-2][0-9]|65[0-4][0-9]{2}|6[0-4][0-9]{3}|[1-5][0-9]{4}|[1-9][0-9]{0,3})"
         ")";
}

std::string BrokersPattern() {
  const std::string broker = " *" + AddressPattern("") + " *";
  return "^(embedded|" + broker + "(," + broker + ")*)$";
}

std::string ListenPattern() { return "^" + AddressPattern("0+|") + "$"; }

std::vector<Shape> InstantShapes() {
  constexpr std::string_view kPattern =
      "^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ][0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]+)?"
      "([Zz]|[+-][0-9]{2}:[0-9]{2})$";
  return {Text{std::string(kPattern), kNothing, "a time such as 2026-01-01T00:00:00Z"},
          WholeNumber{0, std::numeric_limits<std::int64_t>::max() / 1'000'000}};
}

}  // namespace sash
