#include "daemon/http/http_message.h"

#include <nlohmann/json.hpp>

#include "daemon/http/json_response.h"

namespace sash {

using Json = nlohmann::ordered_json;

HttpResponse ErrorResponse(int status, std::string_view code, std::string_view message) {
  const Json error = {{"error", {{"code", code}, {"message", message}}}};
  return {status, std::string(kJsonContent), SerializedJson(error) + "\n"};
}

HttpResponse BadRequest(std::string_view message) {
  return ErrorResponse(400, "bad_request", message);
}

HttpResponse NotFound(std::string_view message) { return ErrorResponse(404, "not_found", message); }

}  // namespace sash
