#include "connectors/kafka/unique_digits.h"

#include <fmt/format.h>

#include <random>

namespace sash {

std::string UniqueDigits() {
  std::random_device random;
  return fmt::format("{:08x}", random());
}

}  // namespace sash
