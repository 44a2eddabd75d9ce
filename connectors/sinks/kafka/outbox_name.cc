#include "connectors/sinks/kafka/outbox_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <fstream>
#include <system_error>

#include "connectors/kafka/unique_digits.h"
#include "connectors/sinks/regular_file.h"

namespace sash {

Result<std::string> NameOfOutbox(const std::string& folder) {
  constexpr std::size_t kDigits = 8;
  constexpr std::size_t kMostBytes = 4096;
  const std::string path = folder + "/name";
  const Result<std::string> there = ReadRegularFile(path, kMostBytes);
  if (!there && there.error().code != ErrorCode::kNotFound) {
    return Error{there.error().code, fmt::format("{}: {}", path, there.error().message)};
  }
  if (there) {
    const std::string& text = there.value();
    if (std::min(text.find('\n'), text.size()) == kDigits) return text.substr(0, kDigits);
  }
  const std::string name = UniqueDigits();
  const std::string next = path + ".next";
  const bool written = static_cast<bool>(std::ofstream(next) << name << std::endl);
  if (!written || std::rename(next.c_str(), path.c_str()) != 0) {
    return Error{ErrorCode::kUnavailable,
                 fmt::format("write {}: {}", path, std::generic_category().message(errno))};
  }
  return name;
}

}  // namespace sash
