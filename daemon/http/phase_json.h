// PhasesJson: the time spent in each phase, in the format of the API.
#pragma once

#include <string>
#include <string_view>

#include "windows/base/phase_times.h"

namespace sash {

// An object of "<phase>_seconds". `Json` is a type of the JSON library.
template <typename Json, typename Phase>
Json PhasesJson(const PhaseTimes<Phase>& phases) {
  Json json = Json::object();
  phases.ForEach([&](std::string_view name, Duration time) {
    json[std::string(name) + "_seconds"] = ToSeconds(time);
  });
  return json;
}

}  // namespace sash
