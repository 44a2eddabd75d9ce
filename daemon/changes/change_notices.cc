#include "daemon/changes/change_notices.h"

#include <fmt/format.h>

#include "daemon/log/log_events.h"

namespace sash {

void ChangeNotices::Say(const std::string& client, const char* what, const std::string& name,
                        const char* change) const {
  log_.Log(process_events::kApiChanged,
           fmt::format("api: {} {} {} by {}", what, name, change, client),
           {{what, name}, {"change", change}, {"client", client}});
  tell_(what, fmt::format(R"({{"{}": "{}", "change": "{}"}})", what, name, change));
}

}  // namespace sash
