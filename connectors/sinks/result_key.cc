#include "connectors/sinks/result_key.h"

#include <chrono>
#include <nlohmann/json.hpp>
#include <utility>

#include "connectors/sinks/json_text.h"
#include "connectors/sinks/result_members.h"
#include "connectors/sinks/time_text.h"
#include "windows/base/json_nesting.h"

namespace sash {

std::string ResultKey(const ResultIdentity& result) {
  JsonText json;
  json.BeginObject().Key("job").Text(result.origin.job).Key("window").Text(result.origin.window);
  if (!result.origin.alert.empty()) {
    json.Key("alert").Text(result.origin.alert).Key("subject").Text(result.origin.subject);
  }
  if (result.origin.counted) {
    json.Key("accepted").Unsigned(static_cast<std::uint64_t>(result.position));
  } else {
    json.Key("window_end").Text(TimeText(EventTime(std::chrono::nanoseconds(result.position))));
  }
  if (!result.cut.empty()) json.Key("cut").Raw(result.cut);
  if (result.is_past) json.Key("past").Bool(true);
  json.EndObject();
  return std::move(json).Take();
}

std::string ResultKey(const RunResult& result) { return ResultKey(IdentityOf(result)); }

std::string RowKey(const std::string& result_key, std::size_t row) {
  return result_key.substr(0, result_key.size() - 1) + ",\"row\":" + std::to_string(row) + "}";
}

ResultIdentity IdentityOf(const RunResult& result) {
  const Provenance& from = result.provenance;
  ResultIdentity identity{{result.job, from.window, from.accepted.has_value()},
                          from.accepted ? static_cast<std::int64_t>(*from.accepted)
                                        : from.window_end.time_since_epoch().count()};
  identity.is_past = result.past;
  if (!from.cut) return identity;
  JsonText cut;
  WriteCut(*from.cut, cut);
  identity.cut = std::move(cut).Take();
  return identity;
}

std::optional<ResultIdentity> IdentityOfKey(std::string_view key) {
  if (IsNestedTooDeeply(key)) return std::nullopt;
  const auto members = nlohmann::ordered_json::parse(key, nullptr, false);
  const auto text = [&](const char* name) -> const std::string* {
    const auto found = members.find(name);
    return found != members.end() ? found->get_ptr<const std::string*>() : nullptr;
  };
  if (!members.is_object()) return std::nullopt;
  const std::string* const job = text("job");
  const std::string* const window = text("window");
  if (job == nullptr || window == nullptr) return std::nullopt;
  ResultOrigin origin{*job, *window};
  if (const std::string* const alert = text("alert")) origin.alert = *alert;
  if (const std::string* const subject = text("subject")) origin.subject = *subject;
  const bool is_past = members.contains("past");
  const auto cut = members.find("cut");
  std::string cut_text = cut != members.end() ? cut->dump() : std::string();
  if (const std::string* const end = text("window_end")) {
    const std::optional<EventTime> time = ParseTimeText(*end);
    if (!time) return std::nullopt;
    return ResultIdentity{std::move(origin), time->time_since_epoch().count(), std::move(cut_text),
                          is_past};
  }
  const auto accepted = members.find("accepted");
  if (accepted == members.end() || !accepted->is_number_unsigned()) return std::nullopt;
  origin.counted = true;
  return ResultIdentity{std::move(origin), accepted->get<std::int64_t>(), std::move(cut_text),
                        is_past};
}

}  // namespace sash
