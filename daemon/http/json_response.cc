#include "daemon/http/json_response.h"

#include <nlohmann/json.hpp>
#include <variant>

#include "connectors/sinks/json_text.h"

namespace sash {

using Json = nlohmann::ordered_json;

std::string SerializedJson(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

HttpResponse JsonResponse(const Json& body) { return {.body = SerializedJson(body) + "\n"}; }

HttpResponse TaggedJsonResponse(const Json& body) {
  return {.body = SerializedJson(body) + "\n", .tagged = true};
}

Json KeyAsJson(const VertexKey& key) {
  return std::visit([](const auto& value) { return Json(value); }, key);
}

Json WeightAsJson(Weight weight) {
  return weight.is_integer() ? Json(weight.integer()) : Json(weight.AsDouble());
}

void LostWeights::Explain(Json& object) const {
  if (lost_ > 0) object["error"] = LostNumbersText(lost_);
}

}  // namespace sash
