#include "connectors/codec/zone_table.h"

#include <date/tz.h>
#include <fmt/format.h>

#include <algorithm>
#include <exception>

namespace sash {
namespace {

using std::chrono::seconds;
using std::chrono::sys_seconds;

constexpr sys_seconds kFirstYear = std::chrono::sys_days(std::chrono::year(1699) / 1 / 1);
constexpr sys_seconds kLastYear = std::chrono::sys_days(std::chrono::year(2202) / 1 / 1);

Error ZoneError(std::string message) { return {ErrorCode::kInvalidArgument, std::move(message)}; }

}  // namespace

Result<ZoneTable> ZoneTable::Load(const std::string& name) {
  try {
    date::get_tzdb();
  } catch (const std::exception& e) {
    return ZoneError(fmt::format(
        "the time zones of this system cannot be read ({}); install the package tzdata", e.what()));
  }
  try {
    const date::time_zone* const zone = date::locate_zone(name);
    ZoneTable table;
    std::vector<Change>& changes = table.changes_;
    changes.push_back({sys_seconds::min(), sys_seconds::max(), zone->get_info(kFirstYear).offset});
    date::sys_info info = zone->get_info(kFirstYear);
    while (info.end < kLastYear) {
      const sys_seconds at = info.end;
      info = zone->get_info(at);
      const seconds before = changes.back().offset;
      if (info.offset == before) continue;  // another name, or daylight saving without a change
      changes.back().doubtful = at + std::min(before, info.offset);
      const sys_seconds begin = at + std::max(before, info.offset);
      changes.push_back({std::max(begin, changes.back().begin), sys_seconds::max(), info.offset});
    }
    changes.push_back({sys_seconds::max(), sys_seconds::max(), info.offset});
    return table;
  } catch (const std::exception&) {
    return ZoneError(
        "is not a time zone of this system; give an IANA name such as Europe/Berlin, or UTC");
  }
}

void ZoneTable::Find(sys_seconds local) {
  const auto after = std::ranges::upper_bound(changes_, local, {}, &Change::begin);
  last_ = static_cast<std::size_t>(after - changes_.begin()) - 1;
}

}  // namespace sash
