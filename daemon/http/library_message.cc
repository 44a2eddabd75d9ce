#include "daemon/http/library_message.h"

#include <microhttpd.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <limits>
#include <memory>
#include <system_error>
#include <utility>
#include <vector>

#include "daemon/http/listening_socket.h"
#include "daemon/http/request_target.h"

namespace sash {
namespace {

constexpr std::size_t kMostBlanks = 1024;  // between the name of a header field and its value

MHD_Result AddHeader(void* map, MHD_ValueKind, const char* name, const char* value) {
  std::string lower(name);
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return std::tolower(c); });
  std::string& held = (*static_cast<decltype(HttpRequest::headers)*>(map))[lower];
  if (!held.empty()) held += ", ";  // RFC 9110, 5.3: several lines are one field
  if (value != nullptr) held += value;
  return MHD_YES;
}

MHD_Result AddHeaderSize(void* sum, MHD_ValueKind, const char* name, const char* value) {
  *static_cast<std::size_t*>(sum) +=
      std::string_view(name).size() + (value == nullptr ? 0 : std::string_view(value).size());
  return MHD_YES;
}

// The header fields that say where a request ends and for which host it is.
struct Framing {
  std::vector<std::string> lengths;
  std::vector<std::string> encodings;
  std::vector<std::string> hosts;
  std::optional<std::string> wrong_name{};
  bool has_line_break = false;
};

bool IsNameOf(std::string_view name, std::string_view lower) {
  return std::ranges::equal(name, lower, {}, [](unsigned char c) { return std::tolower(c); });
}

bool HasOnly(std::string_view text, std::string_view marks) {  // beside letters and digits
  return std::ranges::all_of(text, [marks](unsigned char c) {
    return std::isalnum(c) != 0 || marks.find(static_cast<char>(c)) != std::string_view::npos;
  });
}

// RFC 9110, 5.6.2
bool IsToken(std::string_view name) { return !name.empty() && HasOnly(name, "!#$%&'*+-.^_`|~"); }

// Has only characters of a host and port (RFC 3986, 3.2), so that all servers read the same.
bool IsHost(std::string_view text) { return HasOnly(text, "-._~%!$&'()*+;=:[]"); }

// Whether the field had a second line (RFC 9112, 5.2: obs-fold), which the library (0.9.75) appends
// to a copy of the *name*: "Content-Length" and "2" become "Content-Length2". Otherwise only the
// colon, which the library overwrites with a zero, and blanks are between a name and its value.
bool IsFolded(const char* name, const char* value) {
  const char* const end = name + std::string_view(name).size();
  const auto from = reinterpret_cast<std::uintptr_t>(end);
  const auto to = reinterpret_cast<std::uintptr_t>(value);
  if (to <= from || to - from > kMostBlanks) return true;
  return !std::ranges::all_of(std::string_view(end, to - from),
                              [](char c) { return c == '\0' || c == ' ' || c == '\t'; });
}

MHD_Result AddFraming(void* to, MHD_ValueKind, const char* name, const char* value) {
  Framing& framing = *static_cast<Framing*>(to);
  const std::string text = value == nullptr ? "" : value;
  if (!IsToken(name)) framing.wrong_name = name;
  if (value != nullptr && IsFolded(name, value)) framing.has_line_break = true;
  if (text.find('\r') != std::string::npos) framing.has_line_break = true;
  if (IsNameOf(name, "content-length")) framing.lengths.push_back(text);
  if (IsNameOf(name, "transfer-encoding")) framing.encodings.push_back(text);
  if (IsNameOf(name, "host")) framing.hosts.push_back(text);
  return MHD_YES;
}

bool IsNumber(std::string_view text) {
  return !text.empty() &&
         std::ranges::all_of(text, [](unsigned char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

std::string ClientOf(MHD_Connection* connection) {
  const MHD_ConnectionInfo* const about =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
  return about == nullptr ? std::string() : AddressText(*about->client_addr);
}

std::optional<std::string> FramingTrouble(MHD_Connection* connection, std::string_view version) {
  Framing framing{};
  MHD_get_connection_values(connection, MHD_HEADER_KIND, &AddFraming, &framing);
  if (framing.wrong_name) {
    return "'" + *framing.wrong_name + "' is not the name of a header field";
  }
  if (framing.has_line_break) return "a header field must be on one line";
  if (!framing.lengths.empty() && !framing.encodings.empty()) {
    return "a request has Content-Length or Transfer-Encoding, not both";
  }
  if (framing.lengths.size() > 1) return "Content-Length is given twice; give it once";
  if (!framing.lengths.empty() && !IsNumber(framing.lengths.front())) {
    return "Content-Length must be a whole number of bytes, got '" + framing.lengths.front() + "'";
  }
  const bool is_1_0 = version == MHD_HTTP_VERSION_1_0;
  if (!framing.encodings.empty() &&
      (is_1_0 || framing.encodings.size() > 1 || !IsNameOf(framing.encodings.front(), "chunked"))) {
    return "Transfer-Encoding must be chunked, given once, of HTTP/1.1";
  }
  if (framing.hosts.size() > 1) return "Host is given twice; give it once";
  if (framing.hosts.empty() && !is_1_0) return "the header field Host is missing";
  if (!framing.hosts.empty() && !IsHost(framing.hosts.front())) {
    return "Host must be a host and a port, got '" + framing.hosts.front() + "'";
  }
  return std::nullopt;
}

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
