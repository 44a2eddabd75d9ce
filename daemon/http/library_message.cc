#include "daemon/http/library_message.h"

#include <microhttpd.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <limits>
#include <memory>
#include <system_error>
#include <utility>

#include "daemon/http/listening_socket.h"
#include "daemon/http/request_target.h"

namespace sash {
namespace {

MHD_Result AddHeader(void* map, MHD_ValueKind, const char* name, const char* value) {
  std::string lower(name);
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return std::tolower(c); });
  std::string& held = (*static_cast<decltype(HttpRequest::headers)*>(map))[lower];
  if (!held.empty()) held += ", ";  // RFC 9110, 5.3: one field of several lines
  if (value != nullptr) held += value;
  return MHD_YES;
}

MHD_Result AddHeaderSize(void* sum, MHD_ValueKind, const char* name, const char* value) {
  *static_cast<std::size_t*>(sum) +=
      std::string_view(name).size() + (value == nullptr ? 0 : std::string_view(value).size());
  return MHD_YES;
}

std::string ClientOf(MHD_Connection* connection) {
  const MHD_ConnectionInfo* const about =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
  return about == nullptr ? std::string() : AddressText(*about->client_addr);
}

}  // namespace

bool HasBody(MHD_Connection* connection) {
  const char* length =
      MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_CONTENT_LENGTH);
  return (length != nullptr && std::string_view(length) != "0") ||
         MHD_lookup_connection_value(connection, MHD_HEADER_KIND,
                                     MHD_HTTP_HEADER_TRANSFER_ENCODING) != nullptr;
}

std::size_t HeaderSize(MHD_Connection* connection) {
  std::size_t size = 0;
  MHD_get_connection_values(connection, MHD_HEADER_KIND, &AddHeaderSize, &size);
  return size;
}

std::optional<std::uint64_t> AnnouncedBytes(const HttpRequest& request) {
  const auto length = request.headers.find("content-length");
  if (length == request.headers.end()) return std::nullopt;
  std::uint64_t bytes = 0;
  const char* const end = length->second.data() + length->second.size();
  const auto [rest, error] = std::from_chars(length->second.data(), end, bytes);
  return error == std::errc() ? bytes : std::numeric_limits<std::uint64_t>::max();
}

Result<HttpRequest> ReadRequest(std::string_view method, const std::string& target,
                                MHD_Connection* connection) {
  Result<RequestTarget> parsed = ParseTarget(target);
  if (!parsed) return std::move(parsed).error();
  HttpRequest asked{.method = std::string(method),
                    .path = std::move(parsed.value().path),
                    .query = std::move(parsed.value().query),
                    .has_body = HasBody(connection),
                    .client = ClientOf(connection)};
  MHD_get_connection_values(connection, MHD_HEADER_KIND, &AddHeader, &asked.headers);
  return asked;
}

MHD_Response* MakeResponse(std::string& taken) {
  auto body = std::make_unique<std::string>(std::move(taken));
  const std::size_t size = body->size();
  char* text = body->data();
  MHD_Response* response = MHD_create_response_from_buffer_with_free_callback_cls(
      size, text, [](void* owned) { delete static_cast<std::string*>(owned); }, body.get());
  if (response != nullptr) (void)body.release();
  return response;
}

bool QueueResponse(MHD_Connection* connection, MHD_Response* response, const HttpResponse& answer,
                   bool last) {
  const auto add = [&](const char* name, const char* value) {
    (void)MHD_add_response_header(response, name, value);
  };
  if (answer.status != 304 && answer.status != 204) {
    add(MHD_HTTP_HEADER_CONTENT_TYPE, answer.content_type.c_str());
  }
  if (!answer.tagged) add(MHD_HTTP_HEADER_CACHE_CONTROL, "no-store");
  add("X-Content-Type-Options", "nosniff");
  for (const auto& [name, value] : answer.headers) add(name.c_str(), value.c_str());
  if (last) add(MHD_HTTP_HEADER_CONNECTION, "close");
  const MHD_Result queued =
      MHD_queue_response(connection, static_cast<unsigned>(answer.status), response);
  MHD_destroy_response(response);
  return queued == MHD_YES;
}

}  // namespace sash
