// What libmicrohttpd has read as requests of ours, and our responses as it sends them.
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

// Why the header fields do not say beyond doubt where the request ends and for which host it is
// (RFC 9112, 3.2 and 6.3): two readers would not agree on it. The library takes some of these.
std::optional<std::string> FramingTrouble(MHD_Connection* connection, std::string_view version);

bool HasBody(MHD_Connection* connection);
// Of all header fields, names and values.
std::size_t HeaderSize(MHD_Connection* connection);
// What a body is announced to have; nothing: it comes in chunks, or there is none.
std::optional<std::uint64_t> AnnouncedBytes(const HttpRequest& request);

// A request without its body. Fails when the target cannot be decoded.
Result<HttpRequest> ReadRequest(std::string_view method, const std::string& target,
                                MHD_Connection* connection);

// Null without memory. Takes the body.
MHD_Response* MakeResponse(std::string& taken);
// Takes the response. `last`: the connection closes after it. False: it could not be queued.
bool QueueResponse(MHD_Connection* connection, MHD_Response* response, const HttpResponse& answer,
                   bool last);

}  // namespace sash
