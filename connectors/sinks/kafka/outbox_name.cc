#include "connectors/sinks/kafka/outbox_name.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <fstream>
#include <system_error>

#include "connectors/kafka/unique_digits.h"

namespace sash {

Result<std::string> NameOfOutbox(const std::string& folder) {
  constexpr std::size_t kDigits = 8;
  const std::string path = folder + "/name";
  std::string name;
  if (std::ifstream(path) >> name && name.size() == kDigits) return name;
  name = UniqueDigits();
  const std::string next = path + ".next";
  const bool written = static_cast<bool>(std::ofstream(next) << name << std::endl);
  if (!written || std::rename(next.c_str(), path.c_str()) != 0) {
    return Error{ErrorCode::kUnavailable,
                 fmt::format("write {}: {}", path, std::generic_category().message(errno))};
  }
  return name;
}

}  // namespace sash
