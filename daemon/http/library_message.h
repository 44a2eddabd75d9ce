// Converts libmicrohttpd's requests to HttpRequest, and HttpResponse to its responses.
//
// Thread safety: belongs to the thread that runs the library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "daemon/http/http_message.h"
#include "windows/base/result.h"

struct MHD_Connection;
struct MHD_Response;

namespace sash {

// The address of the client, without the port.
std::string ClientOf(MHD_Connection* connection);

// Why the header fields do not determine the end of the request and its host beyond doubt (RFC
// 9112, 3.2 and 6.3): two servers could disagree about it (request smuggling). The library itself
// accepts some of these.
std::optional<std::string> FramingTrouble(MHD_Connection* connection, std::string_view version);

bool HasBody(MHD_Connection* connection);
// The bytes of all header fields, names and values.
std::size_t HeaderSize(MHD_Connection* connection);
// The announced size of the body (Content-Length); nothing: it is chunked, or there is none.
std::optional<std::uint64_t> AnnouncedBytes(const HttpRequest& request);

// A request without its body. Fails when the target cannot be decoded.
Result<HttpRequest> ReadRequest(std::string_view method, const std::string& target,
                                MHD_Connection* connection);

// Null without memory. Moves the body out of `taken`.
MHD_Response* MakeResponse(std::string& taken);
// Takes ownership of `response`. `last`: the connection closes after it. False: it could not be
// queued.
bool QueueResponse(MHD_Connection* connection, MHD_Response* response, const HttpResponse& answer,
                   bool last);

}  // namespace sash
