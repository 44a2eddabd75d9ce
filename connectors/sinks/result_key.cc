#include "connectors/sinks/result_key.h"

#include <utility>

#include "connectors/sinks/json_text.h"
#include "connectors/sinks/time_text.h"

namespace sash {

std::string ResultKey(const RunResult& result) {
  const Provenance& from = result.provenance;
  JsonText json;
  json.BeginObject().Key("job").Text(result.job).Key("window").Text(from.window);
  if (from.accepted) {
    json.Key("accepted").Unsigned(*from.accepted);
  } else {
    json.Key("window_end").Text(TimeText(from.window_end));
  }
  json.EndObject();
  return std::move(json).Take();
}

}  // namespace sash
