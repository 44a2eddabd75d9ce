#include "daemon/config/text_shapes.h"

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

}  // namespace sash
