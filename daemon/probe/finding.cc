#include "daemon/probe/finding.h"

#include <fmt/format.h>

#include <string_view>

namespace sash {
namespace {

std::string_view Name(Grade grade) {
  switch (grade) {
    case Grade::kOk:
      return "ok";
    case Grade::kWarning:
      return "warning";
    case Grade::kError:
      break;
  }
  return "error";
}

}  // namespace

std::string Finding::ToString() const {
  return fmt::format("{:<7}  {}: {}{}{}", Name(grade), where, what, remedy.empty() ? "" : "; ",
                     remedy);
}

}  // namespace sash
