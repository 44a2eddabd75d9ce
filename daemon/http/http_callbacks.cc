// The callbacks that libmicrohttpd calls while HttpServer runs it.
#include <fmt/format.h>
#include <microhttpd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdarg>
#include <cstdio>
#include <exception>
#include <utility>

#include "daemon/http/http_exchanges.h"
#include "daemon/http/library_message.h"

namespace sash {
namespace {

// Memory of libmicrohttpd itself, in addition to target and headers. When the pool is full, the
// library sends its own error.
constexpr std::size_t kPoolSlack = 24 << 10;
// Only what TLS 1.3 also allows: forward secrecy (ephemeral keys) and authenticated encryption
// (AEAD).
constexpr const char* kTlsPriorities =
    "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2:-KX-ALL:+ECDHE-ECDSA:+ECDHE-RSA:-CIPHER-ALL:"
    "+AES-256-GCM:+CHACHA20-POLY1305:+AES-128-GCM:-MAC-ALL:+AEAD";

// Checks the sizes of target and header fields, before the path is looked up. Status 200: no error.
HttpResponse Admit(const std::string& target, MHD_Connection* connection,
                   const HttpServerOptions& options) {
  if (target.size() > options.target_bytes) {
    return ErrorResponse(414, "uri_too_long",
                         fmt::format("the target must be at most {} bytes, got {}",
                                     options.target_bytes, target.size()));
  }
  if (const std::size_t size = HeaderSize(connection); size > options.header_bytes) {
    return ErrorResponse(431, "header_fields_too_large",
                         fmt::format("the header fields must be at most {} bytes, got {}",
                                     options.header_bytes, size));
  }
  return {};
}

HttpResponse BodyTooLong(std::size_t most) {
  return ErrorResponse(413, "content_too_large",
                       fmt::format("a body must be at most {} bytes", most));
}

HttpResponse Answer(const HttpRequest& asked, const HttpHandler& handler) try {
  return handler(asked);
} catch (const std::exception& e) {
  return ErrorResponse(500, "internal", e.what());
}

}  // namespace

struct HttpServer::Callbacks {
  // The callbacks, in the order of a connection's life. `self` is the server.
  static void OnConnection(void* self, MHD_Connection* connection, void** place,
                           MHD_ConnectionNotificationCode code);
  // `target` is the raw target, before any decoding.
  static void* OnTarget(void* self, const char* target, MHD_Connection* connection);
  // Keeps the target encoded: ParseTarget() decodes it after splitting it into segments.
  static std::size_t LeaveEncoded(void* self, MHD_Connection* connection, char* text);
  // Called repeatedly, until the request has its answer.
  static MHD_Result OnRequest(void* self, MHD_Connection* connection, const char* url,
                              const char* method, const char* version, const char* body,
                              std::size_t* body_size, void** context);
  static void OnCompleted(void* self, MHD_Connection* connection, void** context,
                          MHD_RequestTerminationCode code);
  // Logs only while the library starts; errors of clients are not logged.
  static void OnLog(void* self, const char* format, va_list arguments);

 private:
  static HttpServer& Self(void* self) { return *static_cast<HttpServer*>(self); }
  // Called when the header fields have been read.
  static MHD_Result Begin(HttpServer& server, Request& request, const char* method,
                          std::string_view version);
  // A body that is too long is still read to its end, so that the client can read the answer.
  static void Take(Request& request, std::string_view piece);
  static MHD_Result Send(HttpServer& server, Request& request, HttpResponse answer, bool last);
  // Posts the request to a lane, which makes the answer.
  static MHD_Result Dispatch(HttpServer& server, Request& request);
  static MHD_Result SendPending(HttpServer& server, Request& request);
  static void AwaitAnswer(HttpServer& server, Request& request);
};

ConnectionTable::Connection& HttpServer::Place(MHD_Connection* connection) {
  return *static_cast<ConnectionTable::Connection*>(
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context);
}

void HttpServer::Callbacks::OnConnection(void* self, MHD_Connection* connection, void** place,
                                         MHD_ConnectionNotificationCode code) {
  ConnectionTable& table = Self(self).table_;
  if (code == MHD_CONNECTION_NOTIFY_STARTED) {
    const int descriptor =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
    const SteadyTime now = Now();
    *place =
        table.Add(descriptor, ClientOf(connection), now, now + Self(self).options_.request_time);
  } else if (*place != nullptr) {
    table.Remove(static_cast<ConnectionTable::Connection*>(*place));
    *place = nullptr;
  }
}

void HttpServer::Callbacks::OnLog(void* self, const char* format, va_list arguments) {
  std::string* const log = Self(self).log_;
  if (log == nullptr) return;
  std::array<char, 512> text{};
  (void)std::vsnprintf(text.data(), text.size(), format, arguments);
  *log += text.data();
  while (log->ends_with('\n')) log->pop_back();
}

void* HttpServer::Callbacks::OnTarget(void*, const char* target, MHD_Connection* connection) {
  return new Request{target, connection};  // deleted by OnCompleted, which always follows
}

MHD_Result HttpServer::Callbacks::OnRequest(void* self, MHD_Connection* connection, const char*,
                                            const char* method, const char* version,
                                            const char* body, std::size_t* body_size,
                                            void** context) try {
  HttpServer& server = Self(self);
  Request& request = *static_cast<Request*>(*context);
  if (!request.begun) return Begin(server, request, method, version);
  if (request.answered) return MHD_NO;
  if (request.pending) return SendPending(server, request);
  if (*body_size > 0) {
    if (!request.takes_body) return MHD_NO;
    Take(request, {body, std::exchange(*body_size, 0)});
    return MHD_YES;
  }
  Place(connection).deadline = Now() + server.options_.answer_time;
  // Free the places of readers that have left: this request may need one.
  server.DropLeavers();
  if (request.refusal) {
    return Send(server, request, *std::exchange(request.refusal, std::nullopt), false);
  }
  if (request.body_too_long) {
    return Send(server, request, BodyTooLong(request.body_bytes), true);
  }
  return Dispatch(server, request);
} catch (const std::exception&) {
  return MHD_NO;  // no memory for an answer: the connection is closed
}

MHD_Result HttpServer::Callbacks::Begin(HttpServer& server, Request& request, const char* method,
                                        std::string_view version) {
  request.begun = true;
  const HttpServerOptions& options = server.options_;
  Place(request.connection).deadline = Now() + options.answer_time;
  if (const auto trouble = FramingTrouble(request.connection, version)) {
    return Send(server, request, BadRequest(*trouble), true);
  }
  HttpResponse refusal = Admit(request.target, request.connection, options);
  if (refusal.status != 200) return Send(server, request, std::move(refusal), true);
  Result<HttpRequest> asked = ReadRequest(method, request.target, request.connection);
  if (asked) {
    request.asked = std::move(asked).value();
    if (options.admit) request.refusal = options.admit(request.asked);
    if (!request.refusal && options.exempt && options.exempt(request.asked)) {
      Place(request.connection).exempt = true;
    }
  } else {
    request.refusal = BadRequest(asked.error().message);
  }
  // An answer that is sent before the request is complete closes the connection. That is necessary
  // if a body is still to come.
  if (!HasBody(request.connection)) return MHD_YES;
  if (request.refusal) return Send(server, request, *std::move(request.refusal), true);
  request.takes_body = options.takes_body && options.takes_body(request.asked);
  if (!request.takes_body) {
    return Send(server, request, Answer(request.asked, server.handler_), true);
  }
  request.body_bytes = options.most_body ? options.most_body(request.asked) : 0;
  if (request.body_bytes == 0) request.body_bytes = options.body_bytes;
  if (AnnouncedBytes(request.asked).value_or(0) > request.body_bytes) {
    return Send(server, request, BodyTooLong(request.body_bytes), true);
  }
  Place(request.connection).deadline = Now() + options.request_time;
  return MHD_YES;
}

void HttpServer::Callbacks::Take(Request& request, std::string_view piece) {
  std::string& body = request.asked.body;
  request.body_too_long |= piece.size() > request.body_bytes - body.size();
  if (!request.body_too_long) body += piece;
}

MHD_Result HttpServer::Callbacks::Dispatch(HttpServer& server, Request& request) {
  const HttpServerOptions& options = server.options_;
  const WorkLane lane = options.lane ? options.lane(request.asked) : WorkLane::kQuick;
  request.pending = std::make_shared<PendingAnswer>();
  request.in_lane = true;
  server.lanes_.Post(lane,
                     [of = &server, asked = std::move(request.asked), pending = request.pending] {
                       pending->Give(Answer(asked, of->handler_));
                       of->Nudge();
                     });
  AwaitAnswer(server, request);
  return MHD_YES;
}

MHD_Result HttpServer::Callbacks::SendPending(HttpServer& server, Request& request) {
  std::optional<HttpResponse> answer = request.pending->Take();
  request.in_lane = false;
  if (!answer) {
    answer = ErrorResponse(503, "unavailable", "the process is stopping");
  }
  return Send(server, request, *std::move(answer), server.finishing_);
}

void HttpServer::Callbacks::AwaitAnswer(HttpServer& server, Request& request) {
  server.pending_.push_back(&request);
  ++server.answering_;
  ConnectionTable::Connection& place = Place(request.connection);
  place.Enter(ConnectionTable::State::kWorking, Now());
  place.deadline.reset();  // none while the answer is being made
  MHD_suspend_connection(request.connection);
}

MHD_Result HttpServer::Callbacks::Send(HttpServer& server, Request& request, HttpResponse answer,
                                       bool last) {
  if (answer.pending) {
    request.pending = std::move(answer.pending);
    // The library must not be stopped with a connection suspended.
    if (server.finishing_) return SendPending(server, request);
    AwaitAnswer(server, request);
    return MHD_YES;
  }
  MHD_Connection* const connection = request.connection;
  MHD_Response* response =
      answer.stream ? Stream::Make(server, connection, answer) : MakeResponse(answer.body);
  if (response == nullptr) return MHD_NO;
  ConnectionTable::Connection& place = Place(connection);
  const SteadyTime now = Now();
  last |= answer.status == 401 || ++place.requests >= server.options_.most_requests ||
          now - place.accepted >= server.options_.most_age;
  request.answered = QueueResponse(connection, response, answer, last);
  server.answering_ += request.answered ? 1 : 0;
  place.Enter(ConnectionTable::State::kSending, now);
  // The time of the handler does not count against the client.
  if (!place.cut) place.deadline = now + server.options_.answer_time;
  return request.answered ? MHD_YES : MHD_NO;
}

void HttpServer::Callbacks::OnCompleted(void* self, MHD_Connection* connection, void** context,
                                        MHD_RequestTerminationCode) {
  const std::unique_ptr<Request> request(static_cast<Request*>(*context));
  *context = nullptr;
  HttpServer& server = Self(self);
  if (request && request->answered) --server.answering_;
  ConnectionTable::Connection& place = Place(connection);
  const SteadyTime now = Now();
  place.Enter(ConnectionTable::State::kWaiting, now);
  if (place.deadline) place.deadline = now + server.options_.idle_time;
}

std::size_t HttpServer::Callbacks::LeaveEncoded(void*, MHD_Connection*, char* text) {
  return std::string_view(text).size();
}

void HttpServer::StartLibrary(std::string& trouble) {
  const std::size_t pool = options_.target_bytes + options_.header_bytes + kPoolSlack;
  // Accept() hands connections to the library. It still holds those that were cut off for a moment.
  const unsigned most = 2 * options_.connections + 1;
  unsigned flags = MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_NO_LISTEN_SOCKET;
  std::vector<MHD_OptionItem> more;
  if (options_.tls) {
    flags |= MHD_USE_TLS | MHD_USE_ERROR_LOG;
    const auto text = [](const char* of) { return const_cast<char*>(of); };
    more = {{MHD_OPTION_HTTPS_MEM_CERT, 0, text(options_.tls->certificate.c_str())},
            {MHD_OPTION_HTTPS_MEM_KEY, 0, text(options_.tls->key.c_str())},
            {MHD_OPTION_HTTPS_PRIORITIES, 0, text(kTlsPriorities)}};
  }
  more.push_back({MHD_OPTION_END, 0, nullptr});
  log_ = &trouble;
  daemon_ = MHD_start_daemon(flags, 0, nullptr, nullptr, &Callbacks::OnRequest, this,       //
                             MHD_OPTION_EXTERNAL_LOGGER, &Callbacks::OnLog, this,           //
                             MHD_OPTION_CONNECTION_LIMIT, most,                             //
                             MHD_OPTION_CONNECTION_MEMORY_LIMIT, pool,                      //
                             MHD_OPTION_NOTIFY_CONNECTION, &Callbacks::OnConnection, this,  //
                             MHD_OPTION_URI_LOG_CALLBACK, &Callbacks::OnTarget, this,       //
                             MHD_OPTION_NOTIFY_COMPLETED, &Callbacks::OnCompleted, this,    //
                             MHD_OPTION_UNESCAPE_CALLBACK, &Callbacks::LeaveEncoded, nullptr,
                             MHD_OPTION_ARRAY, more.data(), MHD_OPTION_END);
  log_ = nullptr;
}

}  // namespace sash
